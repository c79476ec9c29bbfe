//! What a free text says: its value, and the number that a short answer is.

/// What announces the value of a free text, in lower case.
const MARK: &str = "answer:";

/// Characters of a line that counts as the answer where none is marked.
const LINE: usize = 400;

/// The value of a free text: what it marks as its answer, else what it puts into a box, else what its last line calls the answer,
/// else the one number of the last line, or that line.
pub(super) fn value(text: &str) -> Option<String> {
    let told = marked(text).or_else(|| boxed(text)).or_else(|| in_a_sentence(text));
    // A model that forgot the mark is not asked again: its last line is the best guess at what it means.
    told.or_else(|| last_line(text).map(|line| only_number(&line).unwrap_or(line)))
}

/// What the last `\\boxed{…}` holds: models that learned from mathematics write their answers so.
fn boxed(text: &str) -> Option<String> {
    let rest = text.rsplit_once("\\boxed{")?.1;
    let mut depth = 1_usize;
    let end = rest.char_indices().find_map(|(at, c)| {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(at)
    })?;
    let inside = rest.get(..end)?.trim();
    (!inside.is_empty()).then(|| inside.to_owned())
}

/// The number in a sentence that holds just one.
fn only_number(sentence: &str) -> Option<String> {
    let word = |word: &str| {
        bare_number(word.trim_matches(|c: char| matches!(c, '.' | ',' | ';' | ':' | '(' | ')' | '*' | '!')))
    };
    let mut found = sentence.split_whitespace().filter_map(word);
    let first = found.next()?;
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).count();
    (found.next().is_none() && digits(sentence) == digits(&first)).then_some(first)
}

/// The last line that holds anything, of bounded length.
fn last_line(text: &str) -> Option<String> {
    let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty())?;
    Some(line.trim_matches(['*', '`', '_', ' ']).chars().take(LINE).collect())
}

/// What the last line calls the answer, as in "So the answer is 12 apples."
fn in_a_sentence(text: &str) -> Option<String> {
    let last = text.lines().rev().find(|line| !line.trim().is_empty())?;
    let lower = last.to_ascii_lowercase();
    let at = lower.rfind("answer is ")? + "answer is ".len();
    let said = last.get(at..)?.trim().trim_matches(|c: char| matches!(c, '*' | '`' | '_' | ' ' | '.' | ':'));
    (!said.is_empty()).then(|| said.to_owned())
}

/// What follows the last `Answer:` in its line, or in the next one, without marks of emphasis.
fn marked(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let apart = |at: &usize| !lower[..*at].ends_with(|c: char| c.is_alphanumeric());
    let at = lower.match_indices(MARK).map(|(at, _)| at).filter(apart).last()?;
    let rest = text.get(at + MARK.len()..)?.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_'));
    let line = rest.lines().next().unwrap_or_default();
    let line = line.trim().trim_matches(|c: char| matches!(c, '*' | '`' | '_' | ' '));
    let line = boxed(line).unwrap_or_else(|| line.to_owned());
    let inside = |open: &str, close: &str| line.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
    let line = inside("\\(", "\\)").or_else(|| inside("$", "$")).unwrap_or(&line).trim();
    (!line.is_empty()).then(|| line.to_owned())
}

/// The number that a short answer is, without a currency before it or words after it: `$1,234.50`, `18 eggs`, `3/4 of it`.
/// Nothing where it holds other digits or begins with a word, since the words may then be the answer.
pub(super) fn bare_number(text: &str) -> Option<String> {
    let plain = text.trim().trim_end_matches('.').replace("\\$", "$").replace(['\u{2212}', '\u{2013}'], "-");
    let plain = plain.strip_prefix("\\boxed{").and_then(|rest| rest.strip_suffix('}')).unwrap_or(&plain).trim();
    let (minus, plain) = plain.strip_prefix('-').map_or(("", plain), |rest| ("-", rest.trim_start()));
    let plain = plain.trim_start_matches(['$', '€', '£', '+']).trim_start();
    let end = plain.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | '/'))).unwrap_or(plain.len());
    let (number, words) = plain.split_at(end);
    let number = number.trim_end_matches(['.', ',']);
    if words.chars().any(|c| c.is_ascii_digit()) || words.split_whitespace().count() > 4 || !is_grouped(number) {
        return None;
    }
    let number = number.replace(',', "");
    let whole = |part: &str| !part.is_empty() && part.parse::<f64>().is_ok_and(f64::is_finite);
    let fits = match number.split_once('/') {
        Some((above, below)) => whole(above) && whole(below) && below.parse::<f64>().is_ok_and(|below| below != 0.0),
        None => whole(&number),
    };
    // A word that is stuck to the number makes something else of it: 3rd, 5x, 7pm.
    let apart = words.is_empty() || words.starts_with(|c: char| c.is_whitespace() || matches!(c, '%' | '°'));
    (fits && apart).then(|| format!("{minus}{number}"))
}

/// Whether commas stand only between thousands.
fn is_grouped(number: &str) -> bool {
    let whole = number.split('.').next().unwrap_or_default();
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default();
    let rest: Vec<&str> = groups.collect();
    !number.split('.').skip(1).any(|part| part.contains(','))
        && (rest.is_empty() || (1..=3).contains(&first.len()) && rest.iter().all(|group| group.len() == 3))
}

#[cfg(test)]
mod tests {
    use super::{bare_number, only_number, value};

    #[test]
    fn the_value_of_a_free_text_is_found() {
        let found = |text: &str| value(text).unwrap_or_default();
        let check = |text: &str, expected: &str| assert_eq!(found(text), expected, "{text}");
        check("3 + 4 = 7\nAnswer: 7", "7");
        check("In all they sold 48 + 24 = 72. Answer: 72", "72");
        check("**Answer:** 18 dollars.", "18 dollars.");
        check("answer: 3\nNo, wait.\nFinal Answer: $4$\n\nGood luck!", "4");
        check("Answer:\n12", "12");
        check("So it is \\boxed{\\frac{1}{2}}.", "\\frac{1}{2}");
        check("Answer: \\boxed{5}", "5");
        check("Answer: \\(12\\)", "12");
        check("Thus the answer is 12 apples.", "12 apples");
        check("She has\n\n  9 eggs. ", "9");
        check("First\n\n  9 or 10 eggs. ", "9 or 10 eggs.");
        let only = |text: &str| only_number(text).unwrap_or_default();
        assert_eq!(only("She needs 6 more cups of flour."), "6");
        assert_eq!(only("It costs $1,250."), "1250");
        assert_eq!((only("From 3 to 5."), only("On the 3rd, 12 came."), only("Nobody came.")), Default::default());
    }

    #[test]
    fn a_short_answer_is_a_number_only_where_nothing_else_can_be_meant() {
        let check = |text: &str, expected: Option<&str>| assert_eq!(bare_number(text).as_deref(), expected, "{text}");
        check("18", Some("18"));
        check("$1,234.50", Some("1234.50"));
        check("18 eggs.", Some("18"));
        check("-3", Some("-3"));
        check("\u{2212}3", Some("-3"));
        check("3/4 of the cake", Some("3/4"));
        check("25%", Some("25"));
        check("1/0", None);
        check("3rd", None);
        check("7pm", None);
        check("12 and 15", None);
        check("1,2", None);
        check("about 5", None);
        check("Paris", None);
        check("", None);
    }
}
