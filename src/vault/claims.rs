//! Units of a page taken apart into claims: a subject, what is asked of it, and what is said.

use std::collections::HashMap;

use super::analyze::Analyzer;
use super::lexicon::{Role, State};
use super::page::{Heading, Page, Unit};
use super::quantity::{Date, Kind};
use super::statement::{Statement, Term};
use super::words::{Lang, fold, hash, language};

/// Something a page says.
#[derive(Debug)]
pub(super) struct Claim {
    /// The unit it was made from.
    pub(super) unit: usize,
    /// What stands before the colon, or over the column.
    pub(super) key: Statement,
    /// What is said.
    pub(super) body: Statement,
    /// The row it belongs to; a fact must name it.
    pub(super) row: Option<Statement>,
    /// The row's other cells.
    pub(super) extra: Vec<Statement>,
    /// List items above.
    pub(super) parents: Vec<Term>,
    /// The first column, asked for by the others: "who does the accounts".
    pub(super) inverse: bool,
    /// A list of several values.
    pub(super) several: bool,
    /// Another section asks the same.
    pub(super) shared: bool,
}

/// A heading, taken apart.
#[derive(Debug)]
pub(super) struct Section {
    /// Its words.
    pub(super) words: Statement,
    /// It names a thing of its own, so that what stands under it is about that thing.
    pub(super) named: bool,
    /// What stands under it is asked, planned or gone.
    pub(super) mood: Mood,
    /// The heading above.
    pub(super) above: Option<usize>,
    /// The day it names.
    pub(super) date: Option<Date>,
    /// It names a version: what stands under it was true of that one.
    pub(super) version: bool,
}

/// How what stands under a heading is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mood {
    /// As it says.
    #[default]
    Plain,
    /// Questions, ideas, plans.
    Open,
    /// What once was.
    Past,
}

/// A page, ready for comparison.
#[derive(Debug)]
pub(super) struct Sheet {
    /// Its name in the vault.
    pub(super) name: String,
    /// SHA-256 of its bytes.
    pub(super) hash: [u8; 32],
    /// Title, aliases, file name.
    pub(super) subjects: Vec<Vec<Term>>,
    /// Its headings.
    pub(super) sections: Vec<Section>,
    /// Its units.
    pub(super) units: Vec<Unit>,
    /// What the units say.
    pub(super) claims: Vec<Claim>,
}

impl Sheet {
    /// The heading a claim stands under, and those above it.
    pub(super) fn path(&self, claim: &Claim) -> impl Iterator<Item = &Section> {
        let first = self.units.get(claim.unit).and_then(|unit| unit.heading);
        std::iter::successors(first.and_then(|number| self.sections.get(number)), |section| {
            section.above.and_then(|number| self.sections.get(number))
        })
    }

    /// The day of a claim: its own, or its heading's.
    pub(super) fn date(&self, claim: &Claim) -> Option<Date> {
        let own = self.units.get(claim.unit).and_then(|unit| unit.date);
        own.or_else(|| self.path(claim).find_map(|section| section.date))
    }

    /// The box before a claim.
    pub(super) fn task(&self, claim: &Claim) -> Option<bool> {
        self.units.get(claim.unit).and_then(|unit| unit.task)
    }
}

/// Takes a page apart.
pub(super) fn sheet(analyzer: &Analyzer<'_>, name: &str, hash: [u8; 32], page: Page) -> Sheet {
    let sample: Vec<String> =
        page.units.iter().flat_map(|unit| unit.text.split_whitespace().take(12)).take(600).map(fold).collect();
    let lang = language(sample.iter().map(String::as_str), Lang::Either);
    let subjects = page
        .subjects
        .iter()
        .map(|subject| analyzer.statement(subject, Lang::Either).terms)
        .filter(|terms| !terms.is_empty())
        .collect();
    let sections = page.headings.iter().map(|heading| section(analyzer, heading, lang)).collect();
    let mut claims = Vec::with_capacity(page.units.len());
    for (number, unit) in page.units.iter().enumerate() {
        if unit.cells.is_empty() {
            claims.extend(claim(analyzer, number, unit, lang));
        } else {
            row(analyzer, number, unit, lang, &mut claims);
        }
    }
    let mut sheet = Sheet { name: name.to_owned(), hash, subjects, sections, units: page.units, claims };
    name_sections(&mut sheet);
    sheet
}

/// Finds the headings that name things rather than aspects: those that answer the same question side by side (`## Alpha`
/// and `## Beta`, each with its `Port:`). A capital letter tells nothing: German writes all nouns with one, English titles.
fn name_sections(sheet: &mut Sheet) {
    let opening = |claim: &Claim| {
        let term = if claim.key.full().next().is_some() { claim.key.full().last() } else { claim.body.full().next() };
        term.map(|term| term.stems[0])
    };
    let mut askers: HashMap<u32, Vec<(usize, bool)>> = HashMap::new();
    for claim in sheet.claims.iter().filter(|claim| claim.row.is_none() && !claim.inverse) {
        let Some(section) = sheet.units.get(claim.unit).and_then(|unit| unit.heading) else { continue };
        let keyed = claim.key.full().next().is_some();
        if let Some(term) = opening(claim) {
            let asked = askers.entry(term).or_default();
            if let Some(known) = asked.iter_mut().find(|(number, _)| *number == section) {
                known.1 |= keyed;
            } else {
                asked.push((section, keyed));
            }
        }
    }
    for claim in sheet.claims.iter_mut().filter(|claim| claim.row.is_none() && !claim.inverse) {
        claim.shared = opening(claim).is_some_and(|term| askers.get(&term).is_some_and(|asked| asked.len() > 1));
    }
    let mut shared: HashMap<usize, u32> = HashMap::new();
    for asked in askers.into_values().filter(|asked| asked.len() > 1) {
        let keys = asked.iter().filter(|(_, keyed)| *keyed).count();
        for (number, keyed) in asked {
            // One key in common tells as much as two openings of sentences.
            *shared.entry(number).or_default() += if keyed && keys > 1 { 2 } else { 1 };
        }
    }
    let named = shared.into_iter().filter(|(_, weight)| *weight > 1).map(|(number, _)| number);
    for number in named {
        if let Some(section) = sheet.sections.get_mut(number).filter(|section| section.words.full().next().is_some()) {
            section.named = true;
        }
    }
}

fn section(analyzer: &Analyzer<'_>, heading: &Heading, lang: Lang) -> Section {
    const OPEN: &[&str] = &[
        "frage",
        "question",
        "idee",
        "idea",
        "plan",
        "planung",
        "roadmap",
        "wunsch",
        "wishlist",
        "someday",
        "backlog",
        "vertagt",
        "geplant",
        "ausblick",
        "vision",
        "vielleicht",
        "maybe",
        "proposal",
        "vorschlag",
        "vorschlage",
        "brainstorm",
        "entwurf",
        "draft",
        "future",
    ];
    const PAST: &[&str] = &[
        "fruher",
        "alt",
        "ehemals",
        "old",
        "former",
        "deprecated",
        "veraltet",
        "outdated",
        "legacy",
        "altlast",
        "obsolete",
        "abgelegt",
        "archiv",
    ];
    let words = analyzer.statement(&heading.text, lang);
    let folded = fold(&heading.text);
    let has = |list: &[&str]| {
        folded.split(|c: char| !c.is_alphanumeric()).any(|word| {
            list.iter().any(|stem| {
                word == *stem || word.len() > 3 && word.strip_prefix(stem).is_some_and(|rest| rest.len() <= 2)
            })
        })
    };
    let mood = if has(OPEN)
        || folded.contains("next steps")
        || folded.contains("nachste schritte")
        || words.any(|clause| clause.question)
    {
        Mood::Open
    } else if has(PAST) {
        Mood::Past
    } else {
        Mood::Plain
    };
    // Code in a heading names a function, an option, a file.
    let code = heading.text.contains(['(', '`', '_', '='])
        || heading
            .text
            .split_whitespace()
            .any(|word| word.trim_end_matches('.').contains('.') && !word.starts_with(|c: char| c.is_ascii_digit()));
    let named = !heading.links.is_empty() || code;
    let version =
        words.amounts.iter().any(|amount| amount.quantity.kind == Kind::Version || amount.quantity.parts.len() > 1)
            || heading.version
            || folded.contains("unreleased");
    Section { words, named, mood, above: heading.above, date: heading.date, version }
}

fn claim(analyzer: &Analyzer<'_>, number: usize, unit: &Unit, lang: Lang) -> Option<Claim> {
    let mut key = unit.key.as_deref().map(|key| analyzer.statement(key, lang)).unwrap_or_default();
    let mut body = analyzer.statement(&unit.text, lang);
    if let Some(yes) = yes_or_no(&unit.text)
        && !key.is_empty()
    {
        body = std::mem::take(&mut key);
        deny(&mut body, !yes);
    }
    // "Kartenzahlung: noch nicht möglich" says so of its key.
    if !key.is_empty() && is_possibility(analyzer, &body) {
        let denied = body.any(|clause| clause.denied);
        body = std::mem::take(&mut key);
        deny(&mut body, denied);
    }
    for link in &unit.links {
        let silent = analyzer.statement(link, lang).terms.into_iter().map(|term| Term {
            silent: true,
            narrows: false,
            clause: 0,
            ..term
        });
        body.terms.extend(silent);
    }
    if body.is_empty() {
        return None;
    }
    let parents = unit.parents.iter().flat_map(|parent| analyzer.statement(parent, lang).terms).collect();
    let several = unit.property && unit.text.contains(", ");
    Some(Claim {
        unit: number,
        key,
        body,
        row: None,
        extra: Vec::new(),
        parents,
        inverse: false,
        several,
        shared: false,
    })
}

/// One claim for each cell beside the one that names the row, and one that asks for that name.
fn row(analyzer: &Analyzer<'_>, number: usize, unit: &Unit, lang: Lang, out: &mut Vec<Claim>) {
    let cells: Vec<(Statement, Statement, &str)> = unit
        .cells
        .iter()
        .map(|(head, cell)| (analyzer.statement(head, lang), analyzer.statement(cell, lang), cell.as_str()))
        .collect();
    let subject = cells.iter().position(|(_, cell, _)| cell.full().next().is_some()).unwrap_or_default();
    let Some((head, name, _)) = cells.get(subject) else { return };
    let parents: Vec<Term> = unit.parents.iter().flat_map(|parent| analyzer.statement(parent, lang).terms).collect();
    let others = |skip: usize| {
        cells
            .iter()
            .enumerate()
            .filter(|(at, _)| *at != skip && *at != subject)
            .map(|(_, (_, cell, _))| cell.clone())
            .collect::<Vec<_>>()
    };
    let silent = |body: &mut Statement| {
        for link in &unit.links {
            let terms = analyzer.statement(link, lang).terms;
            if body.full().any(|mine| terms.iter().any(|term| term.matches(mine).is_some())) {
                body.terms.extend(terms.into_iter().map(|term| Term {
                    silent: true,
                    narrows: false,
                    clause: 0,
                    ..term
                }));
            }
        }
    };
    for (at, (key, cell, text)) in cells.iter().enumerate() {
        if at == subject || cell.is_empty() && yes_or_no(text).is_none() {
            continue;
        }
        let (mut key, mut body) = (key.clone(), cell.clone());
        if let Some(yes) = yes_or_no(text) {
            body = std::mem::take(&mut key);
            deny(&mut body, !yes);
        }
        silent(&mut body);
        out.push(Claim {
            unit: number,
            key,
            body,
            row: Some(name.clone()),
            extra: others(at),
            parents: parents.clone(),
            inverse: false,
            several: false,
            shared: false,
        });
    }
    let mut body = name.clone();
    silent(&mut body);
    out.push(Claim {
        unit: number,
        key: head.clone(),
        body,
        row: None,
        extra: others(subject),
        parents,
        inverse: true,
        several: false,
        shared: false,
    });
}

/// A value of light words, one of them "possible" or "available", and nothing else.
fn is_possibility(analyzer: &Analyzer<'_>, body: &Statement) -> bool {
    let mut senses = Vec::new();
    for word in ["moglich", "vorhanden"] {
        analyzer.lexicon().lookup(hash(word.as_bytes()), Lang::Either, &mut senses);
    }
    body.full().next().is_none()
        && body.amounts.is_empty()
        && body.clauses.len() == 1
        && body.any(|clause| !clause.question && !clause.hedged && !clause.weak && !clause.only)
        && body.terms.iter().any(|term| term.senses.iter().any(|sense| senses.contains(sense)))
}

fn deny(statement: &mut Statement, denied: bool) {
    if denied {
        for clause in &mut statement.clauses {
            clause.denied = !clause.denied;
        }
        for term in &mut statement.terms {
            term.denied = !term.denied;
        }
    }
}

/// A value that only says yes or no.
fn yes_or_no(text: &str) -> Option<bool> {
    match fold(text.trim().trim_end_matches('.')).as_str() {
        "ja" | "yes" | "true" | "wahr" | "x" | "✓" | "✔" | "✅" | "j" | "y" | "vorhanden" => Some(true),
        "nein" | "no" | "false" | "falsch" | "keine" | "keiner" | "kein" | "none" | "✗" | "✘" | "❌" | "n" => {
            Some(false)
        }
        _ => None,
    }
}

/// The state a statement's clause speaks of, and whether it is denied there.
pub(super) fn state(analyzer: &Analyzer<'_>, statement: &Statement, clause: Option<usize>) -> Option<(State, bool)> {
    statement.terms.iter().filter(|term| clause.is_none_or(|clause| term.clause == clause)).find_map(|term| {
        term.senses.iter().find_map(|sense| match analyzer.lexicon().role(sense.group) {
            Role::State(state) => Some((state, term.denied)),
            _ => None,
        })
    })
}
