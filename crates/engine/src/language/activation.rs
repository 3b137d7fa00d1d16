//! The rule text that implements activations.
//!
//! The names in it begin with `activation-`, a prefix that rulesets are unlikely to use.

/// The name that this rule text uses for the number of actions that a verb takes.
pub(crate) const COST: &str = "activation-cost";

/// The statements that end the current activation.
pub(crate) const END: &str = "\
each activation-other in state.active { activation-other.actions-left = 0 }
clear state.active";

/// The statements that refuse the command if a piece of `activation-group` may not begin to act.
const MAY_BEGIN: &str = "\
each activation-piece in activation-group where activation-piece != none and not (activation-piece in state.active) {
  if activation-piece.acted { refuse \"{activation-piece} has already acted\" }
  if activation-piece.actions < 1 { refuse \"{activation-piece} has no actions now\" }
}";

/// The statements that begin an activation of the pieces in `activation-group`.
const BEGIN: &str = "\
clear state.active
each activation-piece in activation-group where activation-piece != none {
  add activation-piece to state.active
  activation-piece.acted = true
  activation-piece.actions-left = activation-piece.actions
}";

/// The statements that refuse the command if a piece in `state.active` still has actions left.
const MUST_END: &str = "\
let activation-still = first activation-other in state.active where activation-other.actions-left > 0
if activation-still != none {
  refuse \"{activation-still} is acting, and has {activation-still.actions-left action|actions} left\"
}";

/// The statements that refuse the command if a piece of `activation-group` has fewer actions left
/// than the verb takes. Otherwise, they subtract the actions that the verb takes.
const PAY: &str = "\
each activation-piece in activation-group where activation-piece != none {
  if activation-piece.actions-left < activation-cost {
    refuse \"{activation-piece} has {activation-piece.actions-left action|actions} left, and this takes {activation-cost}\"
  }
  activation-piece.actions-left -= activation-cost
}";

/// Returns the statements that run at the beginning of a phase. After them, no piece has acted, has
/// actions left or is acting.
pub(crate) fn begin_text(plural: &str) -> String {
    format!(
        "each activation-piece in {plural} where activation-piece.acted or activation-piece.actions-left > 0 {{\n\
         activation-piece.acted = false; activation-piece.actions-left = 0\n}}\nclear state.active"
    )
}

/// Returns the statements that make the pieces of `activation-group` begin to act, unless all of
/// them are already acting. In an `alternating` phase, these statements refuse the command if a
/// piece that is acting still has actions left.
pub(crate) fn activate_text(alternating: &[&str]) -> String {
    let must_end = match alternating {
        [] => String::new(),
        phases => format!("if {} {{\n{MUST_END}\n}}", in_phases(phases)),
    };
    format!(
        "{MAY_BEGIN}\nif any activation-piece in activation-group: activation-piece != none and not (activation-piece in state.active) {{\n\
         {must_end}\n{END}\n{BEGIN}\n}}"
    )
}

/// Returns the statements that run before a verb in the given phases: they make the verb's piece
/// begin to act, if it isn't already acting, and subtract the actions that the verb takes. The
/// verb's parameter `acting` is the piece that acts or, if `is_list` is set, a list of such pieces.
pub(crate) fn verb_text(
    phases: &[&str],
    alternating: &[&str],
    acting: &str,
    is_list: bool,
) -> String {
    let group = if is_list { acting.to_owned() } else { format!("[{acting}]") };
    format!(
        "if {} {{\nlet activation-group = {group}\n{}\nlet {COST} = 1\n{PAY}\n}}",
        in_phases(phases),
        activate_text(alternating)
    )
}

fn in_phases(phases: &[&str]) -> String {
    let phases: Vec<String> = phases.iter().map(|phase| format!("phase.{phase}")).collect();
    format!("state.phase in [{}]", phases.join(", "))
}
