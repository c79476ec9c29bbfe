//! Formulas as people set them in TeX, made comparable.

/// A formula without what only moves or paints it.
pub(super) fn normal(text: &str) -> String {
    let mut plain: String = text.trim().trim_end_matches('.').to_owned();
    let gone = [
        "\\left",
        "\\right",
        "\\!",
        "\\,",
        "\\;",
        "\\:",
        "\\ ",
        "\\displaystyle",
        "\\$",
        "\\%",
        "%",
        "$",
        "^{\\circ}",
        "^\\circ",
        "\\(",
        "\\)",
        "\\[",
        "\\]",
    ];
    for word in gone {
        plain = plain.replace(word, "");
    }
    plain = plain.replace("dfrac", "frac").replace("tfrac", "frac").replace("\\cdot", "*").replace("\\times", "*");
    for name in ["\\text{", "\\mathrm{", "\\mathbf{", "\\textbf{", "\\mbox{"] {
        plain = unwrapped(&plain, name);
    }
    let plain: String = plain.chars().filter(|c| !c.is_whitespace()).collect();
    let plain = fractions(&plain);
    // `x=5` and `5` say the same where one letter is asked for.
    let bare = match plain.split_once('=') {
        Some((name, value)) if name.chars().count() == 1 && !value.contains('=') => value.to_owned(),
        _ => plain,
    };
    bare.to_lowercase()
}

fn unwrapped(text: &str, name: &str) -> String {
    let mut out = text.to_owned();
    while let Some(at) = out.find(name) {
        let Some(close) = out[at..].find('}').map(|end| at + end) else { break };
        let inside = out[at + name.len()..close].trim().to_owned();
        out.replace_range(at..=close, &inside);
    }
    out
}

/// `\frac12`, `\frac{1}{2}` and `1/2` become one.
fn fractions(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\\frac") {
        out.push_str(before);
        let Some((above, after)) = argument(after) else {
            out.push_str("\\frac");
            rest = after;
            continue;
        };
        let Some((below, after)) = argument(after) else {
            out.push_str("\\frac");
            out.push_str(above);
            rest = after;
            continue;
        };
        let wrap = |part: &str| {
            let simple = part.chars().all(char::is_alphanumeric);
            if simple { part.to_owned() } else { format!("({})", fractions(part)) }
        };
        out.push_str(&format!("{}/{}", wrap(above), wrap(below)));
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The argument of a command: one character, or what its braces hold.
fn argument(text: &str) -> Option<(&str, &str)> {
    let first = text.chars().next()?;
    if first != '{' {
        return Some(text.split_at(first.len_utf8()));
    }
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return Some((&text[1..at], &text[at + 1..]));
        }
    }
    None
}
