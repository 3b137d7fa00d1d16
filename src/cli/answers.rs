//! The list of the subcommands' answers, for the documentation of their keys.

#[cfg(feature = "screen")]
use adjutant_engine::console::ScreenReport;
use adjutant_engine::render::chances::DiceOdds;
use adjutant_engine::render::json::{AnswerSchema, Sheet, answer};
use adjutant_engine::render::simulation::StudyAnswer;

use super::check::CheckedAnswer;
use super::completions::InstalledAnswer;
use super::config::ConfigAnswer;
use super::explain::{ExplanationAnswer, FaultCodesAnswer};
use super::games::GamesAnswer;
use super::odds::SeveralOdds;
use super::output::WrittenFiles;
use super::print::PackAnswer;
use super::report::ReportAnswer;
use super::roll::RollsAnswer;
use super::rules::BookAnswer;
use super::sessions::{RemovedAnswer, SessionsAnswer, TranscriptAnswer, VerificationAnswer};
use crate::console::GameAnswer;

/// Returns the schemas of all answers to subcommands, in the order in which they are documented.
pub fn answers() -> Vec<AnswerSchema> {
    vec![
        answer::<GamesAnswer>("games", "`adjutant games`"),
        answer::<Sheet>("rules", "`adjutant rules GAME`"),
        answer::<BookAnswer>("rules as a book", "`adjutant rules GAME --format FORMAT`"),
        answer::<PackAnswer>("print", "`adjutant print GAME`"),
        answer::<RollsAnswer>("roll", "`adjutant roll DICE`"),
        answer::<DiceOdds>("odds", "`adjutant odds DICE`"),
        answer::<SeveralOdds>("odds of several expressions", "`adjutant odds DICE DICE`"),
        answer::<StudyAnswer>("simulate", "`adjutant simulate GAME`"),
        answer::<StudyAnswer>("simulate a game with an end", "`adjutant simulate GAME`"),
        answer::<StudyAnswer>("simulate merge", "`adjutant simulate merge FILE FILE`"),
        answer::<CheckedAnswer>("check", "`adjutant check`"),
        answer::<ExplanationAnswer>("check --explain", "`adjutant check --explain CODE`"),
        answer::<FaultCodesAnswer>("check --explain without a code", "`adjutant check --explain`"),
        answer::<WrittenFiles>("new", "`adjutant new PATH`"),
        answer::<WrittenFiles>(
            "export",
            "`adjutant export GAME FOLDER` and `adjutant export SESSION FILE`",
        ),
        answer::<GameAnswer>("play and resume", "`adjutant play GAME` and `adjutant resume`"),
        answer::<ConfigAnswer>("config", "`adjutant config`"),
        answer::<WrittenFiles>("man", "`adjutant man FOLDER`"),
        answer::<InstalledAnswer>(
            "completions --install",
            "`adjutant completions SHELL --install`",
        ),
        answer::<SessionsAnswer>("sessions", "`adjutant sessions`"),
        answer::<TranscriptAnswer>("transcript", "`adjutant transcript SESSION`"),
        answer::<ReportAnswer>(
            "transcript as a report",
            "`adjutant transcript SESSION --format report`",
        ),
        answer::<VerificationAnswer>("verify", "`adjutant verify SESSION`"),
        #[cfg(feature = "screen")]
        answer::<ScreenReport>("screen", "`adjutant screen SESSION`"),
        answer::<RemovedAnswer>("sessions remove", "`adjutant sessions remove SESSION`"),
    ]
}
