//! Writes the times in a journal as dates in words.

use jiff_core::Timestamp;
use jiff_core::tz::Offset;

/// The names of the months.
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Returns the UTC date of a time in milliseconds since 1970, such as `21 November 2026`. For a
/// time that the calendar doesn't cover, returns `1 January 1970`.
pub(crate) fn date_in_words(at: u64) -> String {
    let time = i64::try_from(at).ok().and_then(|at| Timestamp::from_millisecond(at).ok());
    let day = time.unwrap_or_default().to_datetime(Offset::UTC).date();
    let month = usize::try_from(day.month() - 1).ok().and_then(|index| MONTHS.get(index));
    format!("{} {} {}", day.day(), month.unwrap_or(&""), day.year())
}

#[cfg(test)]
mod tests {
    use super::date_in_words;

    #[test]
    fn days_are_those_of_the_calendar() {
        assert_eq!(date_in_words(0), "1 January 1970");
        assert_eq!(date_in_words(1_795_219_200_000), "21 November 2026");
        assert_eq!(date_in_words(951_782_400_000), "29 February 2000");
        // The last millisecond of a year.
        assert_eq!(date_in_words(1_798_761_599_999), "31 December 2026");
        assert_eq!(date_in_words(u64::MAX), "1 January 1970");
    }
}
