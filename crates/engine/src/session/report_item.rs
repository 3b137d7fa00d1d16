//! The umpire's additions to the battle report: the date, the venue, paragraphs and photos.

use serde::{Deserialize, Serialize};

/// Something that the umpire added to the battle report. It does not affect the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReportItem {
    /// The date of the game. The last date entered counts; if there is none, the report uses the
    /// date on which the session began.
    Date(String),
    /// The place where the game was played. The last place entered counts.
    Venue(String),
    /// A paragraph, for the turn in which it was typed.
    Paragraph(String),
    /// A photo, for the turn in which it was added.
    Photo(Photo),
}

/// A photo for the battle report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Photo {
    /// The path of the file, as typed.
    pub file: String,
    /// The caption of the photo; may be empty.
    pub caption: String,
}

impl ReportItem {
    /// Returns the line that adds an equal item when it is typed.
    pub(super) fn line(&self) -> String {
        match self {
            ReportItem::Date(date) => format!("date {date}"),
            ReportItem::Venue(venue) => format!("venue {venue}"),
            ReportItem::Paragraph(text) => format!("report {text}"),
            ReportItem::Photo(Photo { file, caption }) if caption.is_empty() => {
                format!("photo {file}")
            }
            ReportItem::Photo(Photo { file, caption }) => format!("photo {file}: {caption}"),
        }
    }
}
