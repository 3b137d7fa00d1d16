//! Charts of numbers by turn, as SVG pictures. Every colour is a CSS variable.

use std::fmt::Write;

use crate::render::print::escape::clean_and_escape;

/// The CSS for charts, which the page that contains them must include.
pub(crate) const STYLE: &str = include_str!("chart.css");

/// The size of a chart, and the space between two charts, in SVG units.
const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 160.0;
const GAP: f64 = 20.0;
/// The edges of the drawing area.
const LEFT: f64 = 34.0;
const TOP: f64 = 30.0;
const RIGHT: f64 = WIDTH - 12.0;
const BOTTOM: f64 = HEIGHT - 22.0;
/// The maximum number of characters in a title.
const MAX_TITLE_LETTERS: usize = 42;

/// A chart of a number by turn. Each turn has the 5th and 25th percentiles, the mean, and the 75th
/// and 95th percentiles, in this order.
pub(crate) struct TurnChart {
    pub title: String,
    pub turns: Vec<[f64; 5]>,
}

/// Returns charts as SVG elements to embed in a page.
pub(crate) fn charts_for_page(charts: &[TurnChart]) -> String {
    charts.iter().map(|chart| draw_chart(chart, (0.0, 0.0))).collect()
}

/// Returns an SVG file that shows the charts in rows of three.
pub(crate) fn charts_file(title: &str, charts: &[TurnChart]) -> String {
    let wide = WIDTH + GAP;
    let high = HEIGHT + GAP;
    let at = |index: usize| (wide * (index % 3) as f64, 60.0 + high * (index / 3) as f64);
    let width = 3.0 * wide;
    let height = 60.0 + high * charts.len().div_ceil(3) as f64;
    let charts: String =
        charts.iter().enumerate().map(|(index, c)| draw_chart(c, at(index))).collect();
    let title = clean_and_escape(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"-10 0 {width} {height}\">\
         <style>{STYLE}</style><rect class=\"paper\" x=\"-10\" width=\"100%\" height=\"100%\"/>\
         <text class=\"title\" x=\"0\" y=\"22\">{title}</text>\
         <text x=\"0\" y=\"42\">by turn: the mean (line), half of the games (dark) and nine in ten games (light)</text>\n\
         {charts}</svg>\n"
    )
}

/// Returns a round step that divides a range into at most five parts. For counts, the step is a
/// whole number.
fn axis_step(range: f64, is_count: bool) -> f64 {
    let start = if is_count || range > 1.0 { 1.0 } else { 0.25 };
    let mut steps = [2.0, 2.5, 2.0].iter().cycle().scan(start, |step, factor| {
        let this = *step;
        *step *= factor;
        Some(this)
    });
    steps.find(|step| range / step <= 5.0).unwrap_or(range)
}

/// Draws a chart whose top left corner is at this point.
fn draw_chart(chart: &TurnChart, (left, top): (f64, f64)) -> String {
    let numbers = chart.turns.iter().flatten().copied();
    let lowest = numbers.clone().fold(0.0, f64::min);
    let highest = numbers.fold(1.0, f64::max);
    // The mean of counts need not be a whole number, so it is ignored.
    let is_count =
        chart.turns.iter().all(|[a, b, _, c, d]| [a, b, c, d].map(|v| v.fract()) == [0.0; 4]);
    let step = axis_step(highest - lowest, is_count);
    let low = (lowest / step).floor() * step;
    let high = (highest / step).ceil() * step;
    let last = chart.turns.len().saturating_sub(1);
    let x = |turn: usize| LEFT + (RIGHT - LEFT) * turn as f64 / last.max(1) as f64;
    let y = |value: f64| BOTTOM - (BOTTOM - TOP) * (value - low) / (high - low);
    let points = |which: usize| {
        let turns = chart.turns.iter().enumerate();
        turns.map(move |(turn, bands)| format!("{:.1},{:.1} ", x(turn), y(bands[which])))
    };
    let title: String = chart.title.chars().take(MAX_TITLE_LETTERS).collect();
    let means: Vec<String> =
        chart.turns.iter().map(|bands| ((bands[2] * 100.0).round() / 100.0).to_string()).collect();
    let mut out = format!(
        "<svg class=\"chart\" x=\"{left}\" y=\"{top}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}: {}\">\
         <text class=\"title\" x=\"0\" y=\"16\">{}</text>",
        clean_and_escape(&chart.title),
        means.join(", "),
        clean_and_escape(&title)
    );
    for part in 0..=((high - low) / step).round() as usize {
        let value = low + step * part as f64;
        let at = y(value);
        let edge = LEFT - 6.0;
        let words = y(value) + 4.0;
        let _ = write!(
            out,
            "<path class=\"line\" d=\"M{LEFT} {at:.1}H{RIGHT}\"/><text class=\"up\" x=\"{edge}\" y=\"{words:.1}\">{value}</text>"
        );
    }
    for (class, from, to) in [("most", 0, 4), ("half", 1, 3)] {
        let back: Vec<String> = points(to).collect();
        let band: String = points(from).chain(back.into_iter().rev()).collect();
        let _ = write!(out, "<polygon class=\"{class}\" points=\"{}\"/>", band.trim_end());
    }
    let mean: String = points(2).collect();
    let _ = write!(out, "<polyline class=\"mean\" points=\"{}\"/>", mean.trim_end());
    for turn in (0..=last).step_by((last / 6).max(1)) {
        let at = x(turn);
        let words = BOTTOM + 16.0;
        let _ = write!(out, "<text class=\"along\" x=\"{at:.1}\" y=\"{words}\">{turn}</text>");
    }
    out + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        assert_eq!([0.5, 1.0, 5.0].map(|range| axis_step(range, false)), [0.25, 0.25, 1.0]);
        let counts = [1.0, 5.0, 6.0, 11.0, 50.0, 51.0, 130.0, 400.0];
        let steps = [1.0, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];
        assert_eq!(counts.map(|range| axis_step(range, true)), steps);
    }

    #[test]
    fn a_chart_holds_all_of_its_numbers() {
        let turns = [0.0, 2.0, 7.0].map(|n| [n; 5]).to_vec();
        let drawn = charts_for_page(&[TurnChart { title: "men & guns lost".to_owned(), turns }]);
        assert!(drawn.contains("aria-label=\"men &amp; guns lost: 0, 2, 7\""), "{drawn}");
        assert!(drawn.contains(">8</text>") && drawn.contains(">2</text></svg>"), "{drawn}");
    }
}
