//! Makes a program that differs as small as possible.

use crate::compare::{WRONG, compare};
use crate::program::{Condition, Entry, Program, Rule, Statement};

/// Returns the smallest program found by leaving out statements, one after the other, that still differs.
pub(crate) fn shrink(mut program: Program) -> Program {
    loop {
        let smaller = candidates(&program).into_iter().find(still_differs);
        match smaller {
            Some(smaller) => program = smaller,
            None => return program,
        }
    }
}

/// Returns true if the odds of a program differ from its paths. One that is wrong in itself does not
/// count.
fn still_differs(program: &Program) -> bool {
    compare(program).is_err_and(|difference| !difference.starts_with(WRONG))
}

/// Returns the programs with one thing less.
fn candidates(program: &Program) -> Vec<Program> {
    let mut all = Vec::new();
    if let Entry::Phases { end, first, second, .. } = &program.entry {
        for body in [end, first, second] {
            all.push(Program { entry: Entry::Verb(body.clone()), ..program.clone() });
        }
        let both = [&end[..], &second[..]].concat();
        all.push(Program { entry: Entry::Verb(both), ..program.clone() });
    }
    let parts = if matches!(program.entry, Entry::Verb(_)) { 1 } else { 3 };
    for part in 0..parts {
        all.extend(with_smaller_block(program, |program| match &mut program.entry {
            Entry::Verb(body) => body,
            Entry::Phases { end, first, second, .. } => {
                [end, first, second].into_iter().nth(part).unwrap()
            }
        }));
    }
    for index in 0..program.rules.len() {
        for part in 0..2 {
            all.extend(with_smaller_block(program, |program| match &mut program.rules[index] {
                Rule::Sweep { pass, fail, .. } => {
                    if part == 0 {
                        pass
                    } else {
                        fail
                    }
                }
                Rule::Volley { pass, .. } => pass,
                Rule::Table { rows, .. } => &mut rows[part].3,
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
        | Statement::Repeat(_, body)
        | Statement::With(_, _, body)
        | Statement::AskWho(_, body)
        | Statement::Top(_, _, body) => vec![body],
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
        | Statement::Repeat(_, body)
        | Statement::With(_, _, body)
        | Statement::AskWho(_, body)
        | Statement::Top(_, _, body) => vec![body],
        _ => Vec::new(),
    }
}
