//! `adjutant transcript --format report`: the battle report, with its photos next to it.

use std::path::{Path, PathBuf};

use adjutant_engine::referee::Viewer;
use adjutant_engine::render::markup::{Role, Text};
use adjutant_engine::render::report::{Report, ReportFormat, ReportPhoto};
use adjutant_engine::session::Session;
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::output::{Screen, WrittenFiles};
use crate::cli::{Code, Ended, Failed, check_not_foreign, own_files, shown, write_file};
use crate::files;

/// The maximum size of a photo, in bytes.
const MAX_PHOTO: u64 = 64 << 20;

/// The answer to `transcript` with a report.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ReportAnswer {
    /// The name of the game.
    game: String,
    /// The name of the scenario.
    scenario: String,
    /// The report, in the format of `--format`.
    text: String,
    /// The number of words that the program wrote, without the log.
    words: usize,
    /// The photos, in the order of the report.
    photos: Vec<PhotoListing>,
}

/// A photo in a report.
#[derive(Debug, Serialize, JsonSchema)]
struct PhotoListing {
    /// The path of the file, as the umpire typed it.
    file: String,
    /// The file name of the photo in the report.
    name: String,
}

/// The report to be written.
pub(super) struct ReportRequest<'a> {
    pub session: &'a Session,
    pub viewer: Viewer,
    pub format: ReportFormat,
    /// The file to write. If it is `None`, the report is written to standard output, and no photos
    /// are copied.
    pub to: Option<PathBuf>,
}

/// Writes a battle report.
pub(super) fn write_report(request: &ReportRequest<'_>, screen: &mut Screen) -> Ended {
    let ReportRequest { session, viewer, format, to } = request;
    let report = Report::of(session, viewer).map_err(Failed::of)?;
    let text = report.print(*format);
    let photos = report.photos();
    match to {
        Some(path) => write_with_photos(path, &text, &photos, screen),
        None if screen.json => {
            let listing = |ReportPhoto { file, name, .. }| PhotoListing { file, name };
            screen.document(&ReportAnswer {
                game: session.heading().to_owned(),
                scenario: session.scenario().to_owned(),
                words: report.word_count(),
                text,
                photos: photos.into_iter().map(listing).collect(),
            })?;
            Ok(Code::Done)
        }
        None => {
            if !photos.is_empty() {
                let words = "the photos aren't copied; `--to FILE` copies them next to the report";
                screen.tell_error(&Text::of(Role::Notice, words));
            }
            screen.write(&text)?;
            Ok(Code::Done)
        }
    }
}

/// Writes the report to a file and copies the photos into the same folder. A photo that can't be
/// copied is reported, and the report is still written.
fn write_with_photos(
    path: &Path,
    text: &str,
    photos: &[ReportPhoto],
    screen: &mut Screen,
) -> Ended {
    let mut own = own_files();
    let folder = path.parent().unwrap_or(Path::new(""));
    check_not_foreign(&own, path)?;
    let mut written = vec![write_file(&mut own, path, text.as_bytes())?];
    for photo in photos {
        let target = folder.join(&photo.name);
        let copied = match read_photo(Path::new(&photo.file)) {
            // The photo is already where the report looks for it.
            Ok(bytes) if files::read_named(&target, MAX_PHOTO).is_ok_and(|b| b == bytes) => {
                continue;
            }
            Ok(bytes) => write_file(&mut own, &target, &bytes).map_err(|e| e.to_string()),
            Err(reason) => Err(format!("`{}` is not copied: {reason}", photo.file)),
        };
        match copied {
            Ok(name) => written.push(name),
            Err(words) => screen.tell_error(&Text::of(Role::Notice, words)),
        }
    }
    let path = shown(path);
    let words = format!("written to {path}");
    screen.answer(&Text::of(Role::Plain, words), &WrittenFiles { path, files: written })
}

/// The reason why a photo isn't copied.
#[derive(Debug, thiserror::Error)]
enum PhotoError {
    /// The file can't be read.
    #[error(transparent)]
    Unreadable(#[from] files::DiskError),
    /// The file isn't a picture in one of the accepted formats.
    #[error("it is not a JPEG, PNG, GIF or WebP picture")]
    NoPicture,
}

/// Returns the bytes of a photo. A session from someone else may name any file, so a file that
/// isn't a picture is refused.
fn read_photo(path: &Path) -> Result<Vec<u8>, PhotoError> {
    let bytes = files::read_named(path, MAX_PHOTO)?;
    if is_picture(&bytes) { Ok(bytes) } else { Err(PhotoError::NoPicture) }
}

/// Returns true if bytes begin like a JPEG, PNG, GIF or WebP file.
fn is_picture(bytes: &[u8]) -> bool {
    let is_webp = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
    let starts: [&[u8]; 4] = [b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"GIF87a", b"GIF89a"];
    is_webp || starts.iter().any(|start| bytes.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::is_picture;

    #[test]
    fn only_pictures_are_pictures() {
        assert!(is_picture(b"\xff\xd8\xff\xe0 and more"));
        assert!(is_picture(b"\x89PNG\r\n\x1a\n"));
        assert!(is_picture(b"GIF89a"));
        assert!(is_picture(b"RIFF\0\0\0\0WEBPVP8 "));
        assert!(!is_picture(b"RIFF\0\0\0\0WAVE"));
        assert!(!is_picture(b"root:x:0:0:root:/root:/bin/bash"));
        assert!(!is_picture(b""));
    }
}
