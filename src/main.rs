//! Arguments in, exit code out.
use adjutant::ruleset::*;
#[allow(clippy::print_stdout)]
fn main() {
    let dir = std::env::args().nth(2).unwrap_or_default();
    let mut files = vec![];
    for (d, s) in [(dir.clone(), false), (format!("{dir}/scenarios"), true)] {
        for e in std::fs::read_dir(d).into_iter().flatten().flatten() {
            let p = e.path();
            if p.extension().is_some_and(|e| e == "toml") {
                let name = p.to_string_lossy().into_owned();
                files.push(FileText {
                    scenario: s.then(|| shipped::scenario_name(&name)),
                    text: std::fs::read_to_string(&p).unwrap_or_default(),
                    name,
                });
            }
        }
    }
    match load(shipped::in_order(files)) {
        Ok(r) => {
            for f in &r.warnings {
                println!("{}", adjutant::render::diagnostic::diagnostic(f, &r.sources, false, 120));
            }
            println!("loads: {} rules, {} examples", r.schema.rules.len(), r.examples.len());
        }
        Err(f) => {
            for d in &f.faults {
                println!("{}", adjutant::render::diagnostic::diagnostic(d, &f.sources, false, 120));
            }
            println!("{} faults", f.faults.len());
        }
    }
}
