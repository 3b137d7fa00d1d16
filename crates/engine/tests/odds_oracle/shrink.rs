//! Makes a program that differs as small as possible.

use crate::compare::{Agreement, WRONG};
use crate::program::{Condition, Line, Program, Rule, Statement};

/// Returns the smallest program found by leaving out statements, one after the other, that still differs.
pub(crate) fn shrink(
    mut program: Program,
    compare: &impl Fn(&Program) -> Result<Agreement, String>,
) -> Program {
    // One that is wrong in itself does not count.
    let still_differs = |program: &Program| {
        compare(program).is_err_and(|difference| !difference.starts_with(WRONG))
    };
    loop {
        let smaller = candidates(&program).into_iter().find(still_differs);
        match smaller {
            Some(smaller) => program = smaller,
            None => return program,
        }
    }
}

/// Returns the programs with one thing less.
fn candidates(program: &Program) -> Vec<Program> {
    let mut all = Vec::new();
    let uses_phases = program.lines.iter().any(|line| matches!(line, Line::Next));
    if program.until.is_some() {
        all.push(Program { until: None, ..program.clone() });
    } else if program.turn.is_some() && !uses_phases {
        all.push(Program { turn: None, ..program.clone() });
    }
    if program.insists_until {
        all.push(Program { insists_until: false, ..program.clone() });
    }
    if program.answered > 0 {
        all.push(Program { answered: program.answered - 1, ..program.clone() });
    }
    if !matches!(program.condition, Condition::Always) {
        all.push(Program { condition: Condition::Always, ..program.clone() });
    }
    for index in 0..program.lines.len() {
        if program.lines.len() > 1 {
            let mut copy = program.clone();
            copy.lines.remove(index);
            all.push(copy);
        }
        let Line::Verb { insists, .. } = program.lines[index] else { continue };
        if insists {
            let mut copy = program.clone();
            if let Line::Verb { insists, .. } = &mut copy.lines[index] {
                *insists = false;
            }
            all.push(copy);
        }
        all.extend(with_smaller_block(program, |program| match &mut program.lines[index] {
            Line::Verb { body, .. } => body,
            Line::Next => unreachable!("it is a verb"),
        }));
    }
    for part in 0..if program.turn.is_some() { 6 } else { 0 } {
        all.extend(with_smaller_block(program, |program| {
            let turn = program.turn.as_mut().expect("it has phases");
            turn.begin.iter_mut().chain(&mut turn.end).nth(part).unwrap()
        }));
    }
    for index in 0..program.mines.len() {
        let mut copy = program.clone();
        copy.mines.remove(index);
        all.push(copy);
    }
    for index in 0..program.rules.len() {
        for part in 0..4 {
            all.extend(with_smaller_block(program, |program| match &mut program.rules[index] {
                Rule::Sweep { before, pass, fail, after, .. } => {
                    [before, pass, fail, after].into_iter().nth(part).unwrap()
                }
                Rule::Volley { pass, .. } => pass,
                Rule::Table { rows, .. } => &mut rows[part % 2].3,
                Rule::Duel { rows, .. } => {
                    let count = rows.len();
                    &mut rows[part % count].2
                }
                Rule::Function { body, .. } => body,
            }));
        }
        if let Rule::Sweep { check, .. } = &program.rules[index]
            && !check.modifiers.is_empty()
        {
            let mut copy = program.clone();
            if let Rule::Sweep { check, .. } = &mut copy.rules[index] {
                check.modifiers.pop();
            }
            all.push(copy);
        }
    }
    for deck in 0..2 {
        for card in 0..3 {
            let mut copy = program.clone();
            let counts = if deck == 0 { &mut copy.pack } else { &mut copy.cup };
            if counts[card] > 0 {
                counts[card] -= 1;
                all.push(copy);
            }
        }
    }
    all
}

/// Returns the programs with one thing less in the block that `block` finds.
fn with_smaller_block(
    program: &Program,
    block: impl Fn(&mut Program) -> &mut Vec<Statement>,
) -> Vec<Program> {
    let mut all = Vec::new();
    for smaller in smaller_blocks(block(&mut program.clone())) {
        let mut copy = program.clone();
        *block(&mut copy) = smaller;
        all.push(copy);
    }
    all
}

/// Returns the blocks with a statement left out, or replaced by its own block.
fn smaller_blocks(statements: &[Statement]) -> Vec<Vec<Statement>> {
    let mut all = Vec::new();
    for (index, statement) in statements.iter().enumerate() {
        let with = |replacement: Vec<Statement>| {
            [&statements[..index], &replacement[..], &statements[index + 1..]].concat()
        };
        all.push(with(Vec::new()));
        let blocks = inner_blocks(statement);
        for (number, block) in blocks.iter().enumerate() {
            all.push(with((*block).clone()));
            for smaller in smaller_blocks(block) {
                let mut copy = statement.clone();
                *inner_blocks_mut(&mut copy)[number] = smaller;
                all.push(with(vec![copy]));
            }
        }
        if let Statement::Each(source, name, condition, body) = statement
            && !matches!(condition, Condition::Always)
        {
            let every =
                Statement::Each(source.clone(), name.clone(), Condition::Always, body.clone());
            all.push(with(vec![every]));
        }
    }
    all
}

fn inner_blocks(statement: &Statement) -> Vec<&Vec<Statement>> {
    match statement {
        Statement::If(_, yes, no)
        | Statement::IfRoll(_, _, yes, no)
        | Statement::IfYes(_, yes, no) => {
            vec![yes, no]
        }
        Statement::Draw(_, _, some, none) => vec![some, none],
        Statement::Each(.., body)
        | Statement::Gather(.., body)
        | Statement::EachSorted(.., body)
        | Statement::Repeat(_, body)
        | Statement::With(_, _, body)
        | Statement::AskWho(_, body)
        | Statement::AskBest(.., body)
        | Statement::Lay(.., body)
        | Statement::EachMine(.., body)
        | Statement::DrawMine(_, body)
        | Statement::Top(.., body)
        | Statement::PickCard(.., body)
        | Statement::EachCard(.., body) => vec![body],
        _ => Vec::new(),
    }
}

fn inner_blocks_mut(statement: &mut Statement) -> Vec<&mut Vec<Statement>> {
    match statement {
        Statement::If(_, yes, no)
        | Statement::IfRoll(_, _, yes, no)
        | Statement::IfYes(_, yes, no) => {
            vec![yes, no]
        }
        Statement::Draw(_, _, some, none) => vec![some, none],
        Statement::Each(.., body)
        | Statement::Gather(.., body)
        | Statement::EachSorted(.., body)
        | Statement::Repeat(_, body)
        | Statement::With(_, _, body)
        | Statement::AskWho(_, body)
        | Statement::AskBest(.., body)
        | Statement::Lay(.., body)
        | Statement::EachMine(.., body)
        | Statement::DrawMine(_, body)
        | Statement::Top(.., body)
        | Statement::PickCard(.., body)
        | Statement::EachCard(.., body) => vec![body],
        _ => Vec::new(),
    }
}
