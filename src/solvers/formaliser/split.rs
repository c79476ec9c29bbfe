//! Splits a text that asks several things.

use super::lex::{Kind, Token};
use super::words::WORDS;
use super::{clause, rules, understood, unread_part};
use crate::solvers::goal::PartReading;

/// Most places at which a text may be split; further ones are not considered.
const MAX_CUTS: usize = 24;

/// A place between two clauses.
#[derive(Clone, Copy)]
struct Cut {
    /// Index of the first token of the separator, and of the first token after it.
    at: usize,
    next: usize,
    /// Whether a sentence ends here.
    strong: bool,
}

#[derive(Clone)]
enum Segment {
    Read(Vec<rules::Read>),
    /// Whether it begins like a request.
    Unread(bool),
    /// Nothing but greetings and fillers.
    Empty,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Price {
    unread_words: usize,
    segments: usize,
}

/// The parts of the text, in order; empty when nothing is said.
pub(super) fn parts(text: &str, tokens: &[Token]) -> Vec<PartReading> {
    let cuts = cuts(tokens);
    let mut edges = vec![Cut { at: 0, next: 0, strong: true }];
    edges.extend(cuts);
    edges.push(Cut { at: tokens.len(), next: tokens.len(), strong: true });
    let n = edges.len();
    // best[j]: cheapest split of everything before edge j, with the edge where its last segment begins.
    let mut best: Vec<Option<(Price, usize, Segment)>> = vec![None; n];
    if let Some(first) = best.first_mut() {
        *first = Some((Price { unread_words: 0, segments: 0 }, 0, Segment::Empty));
    }
    for j in 1..n {
        for i in 0..j {
            let Some((so_far, _, previous)) = best.get(i).cloned().flatten() else {
                continue;
            };
            let (Some(start), Some(end)) = (edges.get(i), edges.get(j)) else {
                continue;
            };
            let Some(piece) = tokens.get(start.next..end.at) else {
                continue;
            };
            let segment = segment(piece);
            if !allowed(&segment, &previous, i, *start, piece) {
                continue;
            }
            let words = piece.iter().filter(|t| t.word().is_some() || t.number().is_some()).count();
            let price = match segment {
                Segment::Read(_) => Price { unread_words: so_far.unread_words, segments: so_far.segments + 1 },
                Segment::Unread(_) => {
                    Price { unread_words: so_far.unread_words + words.max(1), segments: so_far.segments + 1 }
                }
                Segment::Empty => so_far,
            };
            if let Some(slot) = best.get_mut(j)
                && slot.as_ref().is_none_or(|(p, _, _)| price < *p)
            {
                *slot = Some((price, i, segment));
            }
        }
    }
    let mut chain = Vec::new();
    let mut j = n - 1;
    while j > 0 {
        let Some((_, i, segment)) = best.get(j).cloned().flatten() else {
            break;
        };
        chain.push((i, j, segment));
        j = i;
    }
    chain.reverse();
    let nothing_read = !chain.iter().any(|(_, _, s)| matches!(s, Segment::Read(_)));
    let something_unread = chain.iter().any(|(_, _, s)| matches!(s, Segment::Unread(_)));
    if nothing_read {
        return if something_unread { vec![unread_part(text, understood(tokens))] } else { Vec::new() };
    }
    let mut out = Vec::new();
    for (i, j, segment) in chain {
        let (Some(start), Some(end)) = (edges.get(i), edges.get(j)) else {
            continue;
        };
        let piece = tokens.get(start.next..end.at).unwrap_or_default();
        let words = piece.first().zip(piece.last()).and_then(|(a, b)| text.get(a.start..b.end)).unwrap_or("");
        match segment {
            Segment::Read(reads) => out.extend(reads.into_iter().map(|r| PartReading {
                text: words.to_owned(),
                goal: r.goal,
                form: r.form,
                unclear: dedup(r.unclear),
            })),
            Segment::Unread(_) => out.push(unread_part(words, understood(piece))),
            Segment::Empty => {}
        }
    }
    out
}

fn dedup(mut words: Vec<String>) -> Vec<String> {
    let mut seen = std::collections::BTreeSet::new();
    words.retain(|w| seen.insert(w.clone()));
    words
}

fn segment(piece: &[Token]) -> Segment {
    let greeting = |w: &str| {
        matches!(
            w,
            "hi" | "hello"
                | "hey"
                | "please"
                | "thanks"
                | "thank"
                | "you"
                | "help"
                | "me"
                | "question"
                | "quick"
                | "questions"
                | "two"
                | "three"
                | "can"
                | "and"
                | "also"
                | "then"
        )
    };
    if piece
        .iter()
        .all(|t| matches!(t.kind, Kind::Sym(',' | '.' | '?' | '!' | ':' | ';')) || t.word().is_some_and(greeting))
    {
        return Segment::Empty;
    }
    clause(piece).map_or_else(|| Segment::Unread(begins_request(piece)), Segment::Read)
}

/// Whether a segment may begin at this cut.
///
/// After a comma or "and" a clause of its own must begin like a request, or be readable by itself after a readable
/// one. An unread statement (no question) may hold what the question after it is about, so nothing is read after it.
fn allowed(segment: &Segment, previous: &Segment, at: usize, cut: Cut, piece: &[Token]) -> bool {
    let request = begins_request(piece);
    if at == 0 {
        return true;
    }
    match (segment, previous) {
        (Segment::Empty, _) | (_, Segment::Empty) => {
            cut.strong || request || matches!(segment, Segment::Empty | Segment::Read(_))
        }
        (Segment::Read(_), Segment::Read(_)) => true,
        (Segment::Read(_), Segment::Unread(asked)) => request && *asked,
        // "… and then decrease it by 10 %" goes on with what the clause before it found.
        (Segment::Unread(_), _) => {
            request
                && (cut.strong
                    || !piece.iter().any(|t| matches!(t.word(), Some("it" | "that" | "this" | "them" | "result"))))
        }
    }
}

fn begins_request(piece: &[Token]) -> bool {
    let first = piece.iter().find_map(Token::word);
    let leads = piece.first().is_some_and(|t| t.word().is_some());
    leads && first.is_some_and(|w| WORDS.lists("starts", w))
}

fn cuts(tokens: &[Token]) -> Vec<Cut> {
    let mut strong = Vec::new();
    let mut weak = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        let mut end = i;
        let mut sentence = false;
        while let Some(t) = tokens.get(end) {
            match &t.kind {
                // `10 kg = ? lb`: the mark stands for the number.
                Kind::Sym('?') if end > 0 && tokens.get(end - 1).is_some_and(|p| p.is('=')) => {
                    break;
                }
                Kind::Sym('?' | ';' | '!') => sentence = true,
                Kind::Sym('.') if tokens.get(end + 1).is_none_or(|n| n.spaced) => sentence = true,
                Kind::Sym(',') => {}
                Kind::Word(w) if matches!(w.as_str(), "and" | "then" | "also") => {}
                Kind::Word(_) | Kind::Sym(_) | Kind::Number(_) | Kind::Ordinal(_) | Kind::Date(_) => break,
            }
            end += 1;
        }
        if end == i {
            i += 1;
            continue;
        }
        let cut = Cut { at: i, next: end, strong: sentence };
        if i > 0 && end < tokens.len() {
            if sentence { strong.push(cut) } else { weak.push(cut) }
        }
        i = end;
    }
    strong.truncate(MAX_CUTS);
    if strong.len() + weak.len() <= MAX_CUTS {
        strong.extend(weak);
    }
    strong.sort_by_key(|c| c.at);
    strong
}
