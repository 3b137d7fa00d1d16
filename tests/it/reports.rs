//! The battle reports in `docs/reports`: each is what the program writes of an evening in `tests/evenings`.

use std::path::Path;

use crate::kit::adjutant;

/// The evenings, each with the plans of the players as the umpire of a published report would write them down, and
/// with what the umpire adds at the end.
const EVENINGS: [(&str, &str, &str); 5] = [
    (
        "blitz",
        "report Ann and Bob mean to hold the offices next to the cathedral, and Edith the riverside warehouses, with water from the \
         Thames if the mains fail; Cyril and Dora carry hose for all, and Frank looks for people under the rubble.",
        "report We had to stop half-way, because the hall closes at ten. St Paul's stands.",
    ),
    (
        "firefight",
        "orders american: Able advances on the left and Charlie on the right, while the BARs keep the machine guns down; Baker follows.\n\
         orders german: Hold the houses. The machine guns fire at long range, and the conscripts stay in cover until the enemy is close.",
        "report Anton and the machine gun are broken, so the players agreed that the Americans hold the crossroads.",
    ),
    (
        "house-clearing",
        "orders attackers: The first section goes for the corner house and the second for the bakery, by short rushes from wall to wall.\n\
         orders defenders: Stay at the windows of two houses, and keep the crossroads under the fire of the belt-fed gun.",
        "report With four men left, the defenders gave up.",
    ),
    (
        "mtb",
        "orders friendly: Sink the escort at close range first, and then torpedo the merchantmen.\n\
         orders hostile: The merchantmen steam on. The escort and the S-boots keep the boats away from them.",
        "",
    ),
    (
        "tarr",
        "orders german: The guns and the Stuka stop the tanks in the open. Platoons g1 and g2 hold the village, with Lehr in reserve.\n\
         orders russian: Tanks and rifle platoons go straight for the bridge, while parachutists and Cossacks attack from behind.",
        "",
    ),
];

/// Setting `UPDATE_REPORTS` rewrites the reports.
#[test]
fn the_reports_of_the_documentation_are_those_of_recorded_evenings() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let updates = std::env::var_os("UPDATE_REPORTS").is_some();
    let mut stale = Vec::new();
    for (name, plans, remark) in EVENINGS {
        let script = std::fs::read_to_string(root.join(format!("tests/evenings/{name}.txt")));
        let script = script.unwrap();
        let (arguments, lines) = script.split_once('\n').unwrap();
        let home = tempfile::tempdir().unwrap();
        let arguments = arguments.trim_start_matches("# ").split_whitespace();
        let arguments = arguments.chain(["--session", "evening"]);
        // Without a date, the report would have the date of the test run.
        let lines =
            format!("date 20 November 2026\nvenue the club room\n{plans}\n{lines}\n{remark}\n");
        adjutant(arguments).home(home.path()).stdin(lines.as_str()).success();
        let written = ["transcript", "evening", "--format", "report"];
        let report = adjutant(written).home(home.path()).success();
        let path = root.join(format!("docs/reports/{name}.html"));
        if updates {
            std::fs::write(&path, &report).unwrap();
        }
        if std::fs::read_to_string(&path).unwrap_or_default() != report {
            stale.push(name);
        }
    }
    assert!(stale.is_empty(), "set UPDATE_REPORTS=1 to write these again: {stale:?}");
}
