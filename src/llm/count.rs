//! How many tokens a text can be at most, where no server has counted them yet.
//!
//! A cap holds only if nothing is ever estimated too low, and the number of bytes alone is no estimate: a digit, a Chinese
//! character or a piece of base64 is a token by itself in some vocabularies, where an English word is one too. So each kind of
//! character counts what it costs in the vocabulary that is worst at it. English comes out at about twice its true number.

use crate::engine::ports::{Ask, Message};

use super::images;

/// Letters in a row that still look like a word; more are a hash, a key or base64.
const WORD: usize = 24;

/// Consonants in a row that still look like a word: `angstschweiß` has eight with its `schw`, a hash soon has more.
const CONSONANTS: usize = 5;

/// What a server's own template adds to a message: marks of its beginning, its role and its end.
const MESSAGE: u64 = 12;

/// What templates say by themselves: a system message of their own, and how tools are called.
const TEMPLATE: u64 = 64;
const TOOLS: u64 = 512;

/// Counts texts, and one text in pieces. Cutting a text makes its count larger, never smaller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Count {
    /// Tokens as they usually are: what is shown where no server says it.
    pub(super) usual: u64,
    /// Tokens at most: what a cap needs.
    pub(super) most: u64,
}

impl Count {
    /// Adds a text.
    pub(super) fn add(&mut self, text: &str) {
        self.most = self.most.saturating_add(most(text));
        self.usual = self.usual.saturating_add(roughly(text.len()));
    }

    /// Adds bytes of arguments of calls: JSON, and dense.
    pub(super) fn more_args(&mut self, bytes: usize) {
        self.most = self.most.saturating_add(bytes as u64);
        self.usual = self.usual.saturating_add(roughly(bytes));
    }

    /// Adds what a server may add by itself.
    fn around(&mut self, tokens: u64) {
        self.most = self.most.saturating_add(tokens);
    }
}

/// About how many tokens so many bytes are, where no cap depends on it.
pub(super) fn roughly(bytes: usize) -> u64 {
    (bytes as u64).div_ceil(3)
}

/// The most tokens that a text can be. Linear in its length.
pub(super) fn most(text: &str) -> u64 {
    let mut tokens = 0;
    let mut word = Word::default();
    let mut spaces = 0_u64;
    for c in text.chars() {
        if c.is_ascii_alphabetic() {
            // The space before a word is part of its first token.
            tokens += spaces.saturating_sub(1).min(1 + spaces / 8);
            spaces = 0;
            word.letter(c);
            continue;
        }
        tokens += word.end();
        if c == ' ' {
            spaces += 1;
            continue;
        }
        tokens += spaces.min(1 + spaces / 8);
        spaces = 0;
        // A character that a vocabulary lacks becomes its bytes.
        tokens += c.len_utf8() as u64;
    }
    tokens + word.end() + spaces.min(1 + spaces / 8)
}

/// Letters of ASCII in a row.
#[derive(Default)]
struct Word {
    letters: usize,
    consonants: usize,
    wild: bool,
    upper: bool,
}

impl Word {
    fn letter(&mut self, c: char) {
        // An upper-case letter behind a lower-case one begins a word of its own, as in camelCase; in base64 they change often.
        self.wild |= self.letters > 1 && c.is_ascii_uppercase() != self.upper;
        self.upper = c.is_ascii_uppercase();
        self.letters += 1;
        let vowel = matches!(c.to_ascii_lowercase(), 'a' | 'e' | 'i' | 'o' | 'u' | 'y');
        self.consonants = if vowel { 0 } else { self.consonants + 1 };
        self.wild |= self.letters > WORD || self.consonants > CONSONANTS;
    }

    fn end(&mut self) -> u64 {
        let Self { letters, wild, upper, .. } = std::mem::take(self);
        if wild || (upper && letters > 1) {
            letters as u64
        } else {
            letters.div_ceil(2) as u64 + u64::from(letters.is_multiple_of(2) && letters > 0)
        }
    }
}

/// What a model reads for an ask.
pub(super) fn ask(ask: &Ask) -> Count {
    let mut count = Count::default();
    count.around(TEMPLATE);
    count.add(&ask.system);
    for message in &ask.messages {
        count.around(MESSAGE);
        match message {
            Message::User(text) => count.add(text),
            Message::Model { text, calls } => {
                count.add(text);
                for call in calls {
                    count.around(MESSAGE);
                    [&call.id, &call.name, &call.args].into_iter().for_each(|text| count.add(text));
                }
            }
            Message::Tool { id, name, text } => [id, name, text].into_iter().for_each(|text| count.add(text)),
        }
    }
    if let Some(schema) = &ask.schema {
        count.add(&schema.to_string());
    }
    if !ask.tools.is_empty() {
        count.around(TOOLS);
    }
    for tool in &ask.tools {
        count.around(MESSAGE);
        [&tool.name, &tool.doc, &tool.takes.to_string()].into_iter().for_each(|text| count.add(text));
    }
    let images = images::tokens(&ask.images);
    count.most = count.most.saturating_add(images);
    count.usual = count.usual.saturating_add(images);
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts with their tokens in a vocabulary of 150 000 pieces that keeps each digit by itself.
    const TRUE: [(&str, u64); 22] = [
        (
            "The quick brown fox jumps over the lazy dog, and nobody who was there that evening could say afterwards why it had done so.",
            26,
        ),
        (
            "Die Donaudampfschifffahrtsgesellschaft veröffentlichte ihren Jahresbericht, ohne die Verluste zu erwähnen.",
            30,
        ),
        ("每个程序读取工作记忆的一部分,并写下它的贡献,然后由评分者打分。", 20),
        ("プログラムは作業記憶を読み、貢献を書き込みます。", 17),
        ("각 프로그램은 작업 기억을 읽고 기여를 씁니다.", 19),
        ("Каждая программа читает рабочую память и пишет свой вклад.", 23),
        ("يقرأ كل برنامج ذاكرة العمل ويكتب مساهمته.", 14),
        ("प्रत्येक प्रोग्राम कार्यशील स्मृति पढ़ता है।", 39),
        ("31415926535897932384626433832795028841971693993751", 50),
        ("pU3KGCUwux1tEyze1iN7LtkeP3IfyxlxF0SU1kk8nVw0YL4xIB5p/tqg7ui5mX9cfCmZ/a/lkyU81lSv", 60),
        ("a54dca182530bb1d6d132cded6237b2ed91e3f721fcb1971174494d6493c9d5c", 58),
        ("🧮🦀👩‍🔬🏳️‍🌈🇩🇪", 14),
        ("{\"contributions\":[{\"section\":\"draft\",\"text\":\"391\",\"answer\":391}],\"next\":\"check\"}", 25),
        ("xqzvk wrtpl bcdfg hjklm npqrs tvwxz xqzvk wrtpl bcdfg hjklm npqrs tvwxz ", 37),
        ("epnbvcyrszkkwltpszoccipwvcbxwjusvojwmvlaolftdpbgyjexhmmpcfomrienriwnlvmhecfehvha", 42),
        (
            "psfij aenrl tskew qtuvx boyvz rmmmm dpumb gcgof dktbd aserd ltacg tmeui ltlpd dpopp jcedx kxipw fqagq lewra yqjuc wiqlf",
            59,
        ),
        (
            "LYHRR YQKUH TZZYG ZHMXZ HGQPL XAAZI PIGWT LOZXL LCHDH PGKGP TTAPU LZUCV DMZWY GPFNZ UKCZX MOMXC XFFEA ESOZU ETTPV LERRE",
            64,
        ),
        ("THE QUICK BROWN FOX JUMPS OVER THE LAZY DOG", 14),
        ("Xiaoqing Zhang, Nguyen Phuong, Wojciech Szczepanski", 17),
        ("∫_0^∞ e^{-x²} dx = √π/2 ≈ 0.886", 25),
        ("a1b2c3 x9y8z7 Q3w4 e5R6", 20),
        ("a b c d e f g", 7),
    ];

    #[test]
    fn dense_text_is_never_counted_too_low_and_english_not_thrice() {
        let check = |text: &str, tokens: u64| {
            let counted = most(text);
            assert!(counted >= tokens, "{counted} for {tokens}: {text}");
            assert!(counted <= 6 * tokens, "{counted} for {tokens}: {text}");
        };
        check("", 0);
        TRUE.iter().for_each(|(text, tokens)| check(text, *tokens));
        let (english, tokens) = TRUE[0];
        assert!(most(english) < 3 * tokens, "{} for {tokens}", most(english));
    }

    #[test]
    fn a_text_in_pieces_is_counted_no_lower() {
        for (text, tokens) in TRUE {
            for size in [1, 3, 10] {
                let mut count = Count::default();
                let letters: Vec<char> = text.chars().collect();
                letters.chunks(size).for_each(|piece| count.add(&piece.iter().collect::<String>()));
                assert!(count.most >= tokens, "{} for {tokens}: {text}", count.most);
            }
        }
    }
}
