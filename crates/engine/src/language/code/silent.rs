//! Removes reports from a program, for hosts such as simulations that want no events.

use std::sync::Arc;

use super::{Function, Op, Program, Target};
use crate::language::schema::FunctionId;

/// The maximum length of a chain of jumps that is merged into one jump.
const MOST_HOPS: usize = 4;

impl Program {
    /// Returns a copy of the program for hosts that want no events, verdicts or lines. In the
    /// functions in `run` and all functions that they call, instructions that only report or cannot
    /// be reached are removed. All other functions stay unchanged.
    pub fn without_reports(&self, run: &[FunctionId]) -> Program {
        let mut program = self.clone();
        for id in self.reachable_from(run) {
            let function = Arc::make_mut(&mut program.functions[id.index()]);
            for op in &mut function.code {
                if let Op::JumpIfSilent { to } | Op::JumpIfMute { to } = *op {
                    *op = Op::Jump { to };
                }
            }
            let reached = reachable_ops(&function.code);
            let needless = |(op, is_reached): (&Op, &bool)| !is_reached || op.only_reports();
            let gone: Vec<bool> = function.code.iter().zip(&reached).map(needless).collect();
            function.remove_ops(&gone);
        }
        program
    }
}

/// Returns, for each instruction, whether a run can reach it.
fn reachable_ops(code: &[Op]) -> Vec<bool> {
    let mut reached = vec![false; code.len()];
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        let Some(op) = code.get(at) else { continue };
        if std::mem::replace(&mut reached[at], true) {
            continue;
        }
        open.extend(op.jump_target().map(|to| to.0 as usize));
        open.extend((!op.never_falls_through()).then_some(at + 1));
    }
    reached
}

impl Function {
    /// Removes the instructions marked in `gone`, and any jumps that no longer skip anything.
    fn remove_ops(&mut self, gone: &[bool]) {
        // For each instruction, the number of instructions kept from there to the end. This number
        // determines the instruction's new index.
        let mut kept = vec![0; self.code.len() + 1];
        for (at, op) in self.code.iter().enumerate().rev() {
            let over_none = matches!(*op, Op::Jump { to }
                if to.0 as usize > at && kept[to.0 as usize] == kept[at + 1]);
            kept[at] = kept[at + 1] + u32::from(!gone[at] && !over_none);
        }
        let stays: Vec<usize> =
            (0..self.code.len()).filter(|at| kept[*at] != kept[at + 1]).collect();
        let moved = |at: &usize| {
            let mut op = self.code[*at];
            op.map_target(|mut to| {
                // A jump may lead to another jump.
                for _ in 0..MOST_HOPS {
                    let Some(Op::Jump { to: on }) = self.code.get(to.0 as usize) else { break };
                    to = *on;
                }
                Target(kept[0] - kept[to.0 as usize])
            });
            op
        };
        let code = stays.iter().map(moved).collect();
        let spans = stays.iter().map(|at| self.spans[*at]).collect();
        self.code = code;
        self.spans = spans;
    }
}
