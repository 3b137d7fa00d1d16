//! Texts that are read, and texts that are refused.

use super::{parse, parse_pool};
use crate::MAX_NESTING;

fn pool_written_back(text: &str) -> String {
    parse_pool(text).map_or_else(|e| format!("{}: {e}", e.code), |p| p.to_string())
}

fn expression_written_back(text: &str) -> String {
    parse(text).map_or_else(|e| format!("{}: {e}", e.code), |p| p.to_string())
}

#[test]
fn pools_are_written_back() {
    for (text, canonical) in [
        ("d6", "1d6"),
        ("3D6", "3d6"),
        ("d%", "1d100"),
        ("4df", "4dF"),
        ("2d66", "2d66"),
        ("2d6KH", "2d6kh1"),
        ("4d6 dl1", "4d6dl1"),
        ("4d6!", "4d6!"),
        ("4d6!=6", "4d6!"),
        ("4d6!5", "4d6!5"),
        ("5d6!6>=5", "5d6!6>=5"),
        ("5d6!>=5", "5d6!>=5"),
        ("4d6r=1", "4d6r1"),
        ("4dFr=-1", "4dFr=-1"),
        ("4d6ro<=2min2max5", "4d6ro<=2min2max5"),
        ("5d10 >= 7", "5d10>=7"),
    ] {
        assert_eq!(pool_written_back(text), canonical);
        assert_eq!(pool_written_back(canonical), canonical);
    }
}

#[test]
fn expressions_are_written_back() {
    for (text, canonical) in [
        ("4d6kh3+2", "4d6kh3 + 2"),
        ("-d6 + 7", "-1d6 + 7"),
        ("floor((2d6+1)/2)*3", "floor((2d6 + 1) / 2) * 3"),
        ("3d6+5>=18", "3d6 + 5 >= 18"),
        ("(5d10)>=7", "(5d10) >= 7"),
        ("d20[sword]+d4[bless]", "1d20 [sword] + 1d4 [bless]"),
        ("5d10>=7-5d10=1", "5d10>=7 - 5d10=1"),
        ("3d6/2>=5", "3d6 / 2 >= 5"),
        ("1d6!-1", "1d6! - 1"),
        ("18<=3d6", "18 <= 3d6"),
    ] {
        assert_eq!(expression_written_back(text), canonical);
        assert_eq!(expression_written_back(canonical), canonical);
    }
}

#[test]
fn ambiguous_texts_are_refused() {
    for text in [
        "4d6k3",
        "4d6d1",
        "5+3d6>=5",
        "3d6>=5+2",
        "2*3d6>=5",
        "5d10>=7>=3",
        "3d6>=2d8",
        "3d6[a]>=4",
        "4d6!!",
        "4d6r",
        "3d6e6",
        "3d6x2",
        "5d6s",
    ] {
        let error = parse(text).unwrap_err();
        assert_eq!(error.code, "dice-ambiguous", "{text}");
        assert!(error.help.is_some(), "{text}");
        assert!(error.span.end <= text.len() && !error.span.is_empty(), "{text}");
    }
}

#[test]
fn nonsense_is_refused() {
    for (text, code) in [
        ("2d6>=13", "dice-never"),
        ("d6r7", "dice-never"),
        ("d6!7", "dice-never"),
        ("d6r<=6", "dice-endless"),
        ("d100r<=96", "dice-endless"),
        ("d6!>=1", "dice-endless"),
        ("d1!", "dice-endless"),
        ("4d6kh5", "dice-choice"),
        ("4d6dl4", "dice-choice"),
        ("4d6dl1dh3", "dice-choice"),
        ("4d6kh0", "dice-choice"),
        ("4d6!!6", "dice-ambiguous"),
        ("4d6!5!6", "dice-twice"),
        ("4d6kh3r1kl1", "dice-twice"),
        ("d6min7", "dice-never"),
        ("d0", "dice-sides"),
        ("0d6", "dice-count"),
        ("999999999d6", "dice-count"),
        ("6000d6+6000d6", "dice-count"),
        ("d1000001", "dice-sides"),
        ("99999999999999999999", "dice-too-large"),
        ("1000000000*1000000000", "dice-too-large"),
        ("3d6/2", "dice-fraction"),
        ("3d6/0", "dice-divisor"),
        ("3d6/d6", "dice-expected"),
        ("3d6/2d6", "dice-divisor"),
        ("2(3)", "dice-expected"),
        ("", "dice-expected"),
        ("(3d6", "dice-expected"),
        ("3d6 − 1", "dice-expected"),
        ("flor(3d6/2)", "dice-name"),
        ("4d6mni2", "dice-modifier"),
        ("3d6[a\u{1b}b]", "dice-label"),
        ("3d6[a", "dice-label"),
        ("1<2<3", "dice-chain"),
    ] {
        assert_eq!(parse(text).map_err(|e| e.code), Err(code), "{text}");
    }
    // One face in twenty that ends the rerolls is enough.
    assert!(parse("d100r<=95").is_ok());
    assert!(parse("d20r<=19").is_ok());
    let nested = |depth: usize| parse(&format!("{}d6{}", "(".repeat(depth), ")".repeat(depth)));
    assert!(nested(MAX_NESTING as usize).is_ok());
    let too_deep = nested(MAX_NESTING as usize + 1).unwrap_err();
    let at = MAX_NESTING as usize;
    assert_eq!((too_deep.code, too_deep.span), ("dice-nesting", at..at + 1));
    // Parentheses side by side are not nested.
    assert!(parse(&vec!["(1)"; MAX_NESTING as usize + 2].join("+")).is_ok());
    let labelled = |length: usize| parse(&format!("3d6[{}]", "é".repeat(length)));
    assert!(labelled(40).is_ok());
    assert_eq!(labelled(41).unwrap_err().code, "dice-label");
    assert_eq!(parse(&"(".repeat(999)).unwrap_err().code, "dice-nesting");
    assert_eq!(parse(&"1".repeat(5_000_000)).unwrap_err().code, "dice-too-long");
    assert!(parse_pool("3d6+1").is_err());
}

#[test]
fn dice_that_never_stop_are_refused_with_the_reason() {
    let message = |text: &str| parse(text).unwrap_err().to_string();
    assert_eq!(message("d6r<=6"), "every d6 would be rerolled without end");
    assert_eq!(message("d100r<=96"), "a d100 would be rerolled almost without end");
    assert_eq!(message("d6!>=1"), "every d6 would explode without end");
}

#[test]
fn signs_of_print_are_answered_with_those_of_the_notation() {
    let help = |text: &str| parse(text).unwrap_err().help;
    for (text, written) in [
        ("2d6−1", "-"),
        ("2d6–1", "-"),
        ("2×1d6", "*"),
        ("2·1d6", "*"),
        ("1d6÷2", "/"),
        ("1d6:2", "/"),
        ("1d6≥4", ">="),
        ("1d6≤4", "<="),
    ] {
        assert_eq!(help(text), Some(format!("write `{written}`")), "{text}");
    }
    assert!(help("1d6+0.5").is_some_and(|help| help.contains("`1/2`")));
}
