//! Arguments in, exit code out.
#![allow(clippy::print_stdout, clippy::panic)]
use adjutant::command::{self, Command, Onward};
use adjutant::dice::*;
use adjutant::language::machine::Halt;
use adjutant::referee::*;
use adjutant::ruleset::*;
use std::sync::Arc;

fn run(
    referee: &Referee,
    table: &mut adjutant::tabletop::Tabletop,
    line: &str,
    inputs: &mut Inputs,
    texts: &mut Vec<String>,
    out: &mut String,
) -> Result<(), String> {
    let cmd = command::parse(referee, table, line)
        .map_err(|e| format!("{} {}", e.message, e.help.unwrap_or_default()))?;
    let (action, insist) = match cmd {
        Some(Command::Act(a, i)) => (a, i),
        Some(Command::Next(Onward::Phases(1))) => (Action::Next, false),
        other => return Err(format!("cannot {other:?}")),
    };
    inputs.insist = insist;
    loop {
        match referee.resolve(table, &action, inputs) {
            Ok(outcome) => {
                for c in outcome.changes() {
                    table.apply(c);
                }
                for e in &outcome.events {
                    use std::fmt::Write;
                    match e {
                        Event::Check(c) => {
                            let _ = writeln!(
                                out,
                                "  {} {:?} {:?} need {:?} {:?}",
                                c.label,
                                c.dice,
                                c.modifiers,
                                c.need.map(|n| (n.0.text(), n.1)),
                                c.verdict
                            );
                            for (v, r) in &c.modifiers {
                                let _ = writeln!(out, "   {v} {r}");
                            }
                            if let Some(v) = &c.verdict {
                                let _ = writeln!(out, "{v}");
                            }
                        }
                        Event::Said(s) | Event::Reminded(s) | Event::Insisted(s) => {
                            let _ = writeln!(out, "  {s}");
                        }
                        Event::Taken { what, .. } => {
                            let _ = writeln!(out, "  drawn {what}");
                        }
                        Event::Asked { question, answer, .. } => {
                            let _ = writeln!(out, "  {question} {answer}");
                        }
                        _ => {}
                    }
                }
                if let Dice::Scripted(_) = inputs.dice {
                    // keep the rest of the faces
                    let used = outcome.faces.len();
                    let Dice::Scripted(s) = &inputs.dice else { unreachable!() };
                    let mut s = s.clone();
                    for f in 0..used {
                        let _ = s.fill(u32::MAX, &mut [0]);
                        let _ = f;
                    }
                    inputs.dice = Dice::Scripted(s);
                    let taken = outcome
                        .events
                        .iter()
                        .filter(|e| matches!(e, Event::Taken { deck: Some(_), .. }))
                        .count();
                    let n = taken.min(inputs.draws.len());
                    inputs.draws.drain(..n);
                }
                inputs.answers.clear();
                return Ok(());
            }
            Err(Halt::Question(q)) => {
                if texts.is_empty() {
                    return Err(format!("asks: {} {:?}", q.text, q.options));
                }
                let t = texts.remove(0);
                inputs.answers.push(command::answer(&q, &t).map_err(|e| e.message)?);
            }
            Err(Halt::Refused(r)) => return Err(format!("refused: {r}")),
            Err(Halt::Fault(f)) => {
                return Err(format!(
                    "fault: {f} at {:?}",
                    referee.ruleset().sources.line_column(f.span.file, f.span.start as usize)
                ));
            }
            Err(h) => return Err(format!("halt {h:?}")),
        }
    }
}

fn main() {
    let dir = std::env::args().nth(2).unwrap_or_default();
    let only = std::env::args().nth(3);
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
    let r = match load(shipped::in_order(files)) {
        Ok(r) => {
            for f in &r.warnings {
                println!("{}", adjutant::render::diagnostic::diagnostic(f, &r.sources, false, 120));
            }
            for f in lints::lint(&r) {
                println!(
                    "{}",
                    adjutant::render::diagnostic::diagnostic(&f, &r.sources, false, 120)
                );
            }
            println!("loads: {} rules, {} examples", r.schema.rules.len(), r.examples.len());
            r
        }
        Err(f) => {
            for d in &f.faults {
                println!("{}", adjutant::render::diagnostic::diagnostic(d, &f.sources, false, 120));
            }
            println!("{} faults", f.faults.len());
            return;
        }
    };
    let referee = Referee::new(Arc::new(r));
    let r = referee.ruleset().clone();
    let seed = Seed::from_text("example");
    let (mut good, mut bad) = (0, 0);
    for ex in &r.examples {
        if only.as_ref().is_some_and(|o| !ex.title.contains(o.as_str())) {
            continue;
        }
        let scenario = r.scenario(&ex.scenario).cloned().unwrap_or_default();
        let mut why = vec![];
        let mut out = String::new();
        let set = Inputs { ask_random: true, ..Inputs::seeded(&seed, 0) };
        match referee.set_out(&scenario, &set) {
            Err(h) => why.push(format!("set out: {h:?}")),
            Ok((mut table, _)) => {
                let mut texts: Vec<String> = ex.answers.clone();
                for (o, v) in &ex.options {
                    let mut i = set.clone();
                    if let Err(e) = run(
                        &referee,
                        &mut table,
                        &format!("option {o} {v}"),
                        &mut i,
                        &mut vec![],
                        &mut out,
                    ) {
                        why.push(e);
                    }
                }
                if let Some(p) = &ex.phase {
                    referee.put_into_phase(&mut table, p);
                }
                for (l, _) in &ex.set {
                    let mut i = set.clone();
                    if let Err(e) = run(&referee, &mut table, l, &mut i, &mut vec![], &mut out) {
                        why.push(format!("set `{l}`: {e}"));
                    }
                }
                out.clear();
                let mut inputs = Inputs::of(Dice::Scripted(Scripted::new(ex.dice.clone())));
                inputs.draws = ex.draws.clone();
                let mut refusal = None;
                for (l, _) in &ex.run {
                    match run(&referee, &mut table, l, &mut inputs, &mut texts, &mut out) {
                        Ok(()) => {}
                        Err(e) => {
                            refusal = Some(e);
                            break;
                        }
                    }
                }
                match (&ex.refused, &refusal) {
                    (Some((t, _)), Some(e)) => {
                        if !e.contains(t.as_str()) {
                            why.push(format!("refused with {e}"));
                        }
                    }
                    (Some((t, _)), None) => why.push(format!("not refused: {t}")),
                    (None, Some(e)) => why.push(e.clone()),
                    _ => {}
                }
                if let (Dice::Scripted(s), None) = (&inputs.dice, &refusal) {
                    if s.remaining() > 0 {
                        why.push(format!("{} dice left", s.remaining()));
                    }
                }
                if refusal.is_none() && !texts.is_empty() {
                    why.push(format!("answers left {texts:?}"));
                }
                for (e, t) in &ex.expect {
                    match referee.evaluate(&table, Some(adjutant::language::schema::Type::Flag), e)
                    {
                        Ok((1, ..)) => {}
                        Ok(_) => why.push(format!("expected {}", t.value)),
                        Err(f) => {
                            for d in f {
                                why.push(adjutant::render::diagnostic::diagnostic(
                                    &d, &r.sources, false, 120,
                                ));
                            }
                        }
                    }
                }
                for (s, _) in &ex.says {
                    if !out.contains(s.as_str()) {
                        why.push(format!("does not say {s}"));
                    }
                }
            }
        }
        if why.is_empty() {
            good += 1;
        } else {
            bad += 1;
            let (l, _) = r.sources.line_column(ex.span.file, ex.span.start as usize);
            println!(
                "FAIL {}:{} {}",
                r.sources.get(ex.span.file).map(|f| f.name.clone()).unwrap_or_default(),
                l,
                ex.title
            );
            for w in why {
                println!("   - {w}");
            }
            print!("{out}");
        }
    }
    println!("{good} examples passed, {bad} failed");
}
