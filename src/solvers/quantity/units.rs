//! The units of measure: names, sizes and dimensions, read once from `assets/units.toml`.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use num_traits::{One, Zero};

use super::rational::{self, Rational};

/// Powers of the base dimensions; zero powers are left out, so equal dimensions compare equal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dimension(BTreeMap<String, i32>);

impl Dimension {
    /// Whether nothing is measured (a plain number).
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    /// The single base dimension, if the dimension is one base to the first power.
    #[must_use]
    pub fn base(&self) -> Option<&str> {
        match self.0.iter().next() {
            Some((name, 1)) if self.0.len() == 1 => Some(name),
            Some(_) | None => None,
        }
    }

    /// Whether it is an amount of money in some currency.
    #[must_use]
    pub fn is_money(&self) -> bool {
        self.base().is_some_and(|b| matches!(b, "usd" | "eur" | "gbp" | "jpy" | "inr" | "chf" | "cad" | "aud" | "cny"))
    }

    /// Whether months or years take part.
    #[must_use]
    pub fn is_calendar(&self) -> bool {
        self.0.contains_key("calendar")
    }

    /// The dimension with all powers multiplied; `None` beyond 64.
    #[must_use]
    pub fn raised(&self, power: i32) -> Option<Self> {
        let mut out = BTreeMap::new();
        for (name, p) in &self.0 {
            let p = p.checked_mul(power).filter(|p| p.abs() <= 64)?;
            if p != 0 {
                out.insert(name.clone(), p);
            }
        }
        Some(Self(out))
    }

    /// The dimension of a product.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        let mut out = self.0.clone();
        for (name, p) in &other.0 {
            let sum = out.get(name).copied().unwrap_or(0).saturating_add(*p);
            if sum == 0 {
                out.remove(name)
            } else {
                out.insert(name.clone(), sum)
            };
        }
        Self(out)
    }

    /// Text of the coherent unit: `m/s`, `kg*m^2`; empty for a plain number.
    #[must_use]
    pub fn coherent_unit(&self) -> String {
        let part = |sign: i32| {
            let mut names = Vec::new();
            for (name, p) in self.0.iter().filter(|(_, p)| **p * sign > 0) {
                let symbol = base_symbol(name);
                let p = p.abs();
                names.push(if p == 1 { symbol.to_owned() } else { format!("{symbol}^{p}") });
            }
            names
        };
        let (top, bottom) = (part(1).join("*"), part(-1));
        let top = if top.is_empty() && !bottom.is_empty() { "1".to_owned() } else { top };
        bottom.iter().fold(top, |text, b| format!("{text}/{b}"))
    }
}

fn base_symbol(dimension: &str) -> &str {
    match dimension {
        "length" => "m",
        "mass" => "kg",
        "time" => "s",
        "temperature" => "K",
        "current" => "A",
        "amount" => "mol",
        "luminosity" => "cd",
        "angle" => "°",
        "information" => "bit",
        "calendar" => "month",
        other => TABLE.money.get(other).map_or(other, String::as_str),
    }
}

/// A unit: a value `v` of it is `v * size + zero` in coherent base units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// As it is written in results.
    pub text: String,
    /// Base units in one.
    pub size: Rational,
    /// Where its zero lies (temperatures only).
    pub zero: Rational,
    /// What it measures.
    pub dimension: Dimension,
}

impl Unit {
    /// The unit of plain numbers.
    #[must_use]
    pub fn one() -> Self {
        Self { text: String::new(), size: Rational::one(), zero: Rational::zero(), dimension: Dimension::default() }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Prefixes {
    None,
    Decimal,
    Binary,
}

struct Entry {
    unit: Unit,
    prefixes: Prefixes,
}

struct Table {
    entries: Vec<Entry>,
    by_name: HashMap<String, usize>,
    money: HashMap<String, String>,
    names: Vec<(String, String)>,
}

static TABLE: LazyLock<Table> =
    LazyLock::new(|| load(include_str!("../../../assets/units.toml")).unwrap_or_else(|_| empty()));

fn empty() -> Table {
    Table { entries: Vec::new(), by_name: HashMap::new(), money: HashMap::new(), names: Vec::new() }
}

fn load(source: &str) -> Result<Table, String> {
    type Lines = BTreeMap<String, BTreeMap<String, String>>;
    let tables: Lines = toml::from_str(source).map_err(|e| e.to_string())?;
    let mut dimensions: HashMap<&str, Dimension> = HashMap::new();
    for (name, powers) in tables.get("dimensions").into_iter().flatten() {
        let mut dimension = BTreeMap::new();
        for power in powers.split_whitespace() {
            let (base, p) = power.split_once('^').unwrap_or((power, "1"));
            dimension.insert(base.to_owned(), p.parse().map_err(|_| format!("bad power {power}"))?);
        }
        if dimension.is_empty() {
            dimension.insert(name.clone(), 1);
        }
        dimensions.insert(name, Dimension(dimension));
    }
    let mut table = empty();
    for (dimension_name, lines) in tables.iter().filter(|(name, _)| *name != "dimensions") {
        let dimension =
            dimensions.get(dimension_name.as_str()).ok_or_else(|| format!("unknown dimension {dimension_name}"))?;
        for (symbol, line) in lines {
            let mut parts = line.split('|').map(str::trim);
            let (size, zero) = size_of(parts.next().unwrap_or(""))?;
            let names = parts.next().unwrap_or("");
            let prefixes = match parts.next() {
                Some("si") => Prefixes::Decimal,
                Some("bin") => Prefixes::Binary,
                Some(_) | None => Prefixes::None,
            };
            let symbol = symbol.replace('_', " ");
            if dimension.is_money() && size.is_one() {
                table.money.insert(dimension_name.clone(), symbol.clone());
            }
            let index = table.entries.len();
            table.by_name.insert(symbol.clone(), index);
            table.names.push((symbol.clone(), dimension_name.clone()));
            for name in names.split_whitespace() {
                table.by_name.insert(name.replace('_', " "), index);
            }
            let unit = Unit { text: symbol, size, zero, dimension: dimension.clone() };
            table.entries.push(Entry { unit, prefixes });
        }
    }
    Ok(table)
}

fn size_of(text: &str) -> Result<(Rational, Rational), String> {
    let ratio = |t: &str| -> Result<Rational, String> {
        let (top, bottom) = t.trim().split_once('/').unwrap_or((t.trim(), "1"));
        Ok(rational::parse(top)? / rational::parse(bottom)?)
    };
    match text.split_once('+') {
        Some((size, zero)) => Ok((ratio(size)?, ratio(zero)?)),
        None => Ok((ratio(text)?, Rational::zero())),
    }
}

const DECIMAL: &[(&str, &str, i32)] = &[
    ("quetta", "Q", 30),
    ("ronna", "R", 27),
    ("yotta", "Y", 24),
    ("zetta", "Z", 21),
    ("exa", "E", 18),
    ("peta", "P", 15),
    ("tera", "T", 12),
    ("giga", "G", 9),
    ("mega", "M", 6),
    ("kilo", "k", 3),
    ("hecto", "h", 2),
    ("deca", "da", 1),
    ("deka", "da", 1),
    ("deci", "d", -1),
    ("centi", "c", -2),
    ("milli", "m", -3),
    ("micro", "µ", -6),
    ("micro", "μ", -6),
    ("micro", "u", -6),
    ("nano", "n", -9),
    ("pico", "p", -12),
    ("femto", "f", -15),
    ("atto", "a", -18),
];
const BINARY: &[(&str, &str, u32)] =
    &[("kibi", "Ki", 10), ("mebi", "Mi", 20), ("gibi", "Gi", 30), ("tebi", "Ti", 40), ("pebi", "Pi", 50)];

/// Finds one unit by symbol or name, with prefixes (`km`, `kilometres`, `°F`, `nautical mile`); not `km/h`.
///
/// Symbols keep their case (`mW` is not `MW`); a symbol or name in another case is found where only one unit fits.
#[must_use]
pub fn find(name: &str) -> Option<Unit> {
    let name = name.trim();
    if name.is_empty() || name.len() > 60 {
        return None;
    }
    exact_name(name).or_else(|| {
        let lower = name.to_lowercase();
        if lower != name && name.chars().count() > 2 { exact_name(&lower) } else { lower_symbol(name, &lower) }
    })
}

fn lower_symbol(name: &str, lower: &str) -> Option<Unit> {
    // `KM`, `Cm`, `FT`: understood unless the capital could be a prefix or unit of its own.
    let clash = matches!(name, "MM" | "M" | "G" | "S" | "L" | "MG" | "Mg" | "H" | "T" | "D" | "CD" | "Ct");
    (lower != name && !clash).then(|| exact_name(lower)).flatten()
}

fn exact_name(name: &str) -> Option<Unit> {
    let table = &*TABLE;
    if let Some(i) = table.by_name.get(name) {
        return table.entries.get(*i).map(|e| e.unit.clone());
    }
    let prefixed = |rest: &str, allowed: Prefixes, long: bool| -> Option<&Unit> {
        let entry = table.entries.get(*table.by_name.get(rest)?)?;
        let fits = match entry.prefixes {
            Prefixes::None => false,
            Prefixes::Decimal => allowed == Prefixes::Decimal,
            Prefixes::Binary => true,
        };
        let symbol = rest == entry.unit.text || rest == "L";
        (fits && symbol != long).then_some(&entry.unit)
    };
    let scaled = |unit: &Unit, symbol: &str, factor: Rational| Unit {
        text: format!("{symbol}{}", unit.text),
        size: &unit.size * factor,
        zero: Rational::zero(),
        dimension: unit.dimension.clone(),
    };
    for (long, short, power) in DECIMAL {
        let ten = Rational::from_integer(rational::ten_to(power.unsigned_abs()));
        for (prefix, is_long) in [(long, true), (short, false)] {
            if let Some(unit) = name.strip_prefix(prefix).and_then(|r| prefixed(r, Prefixes::Decimal, is_long)) {
                return Some(scaled(unit, short, if *power < 0 { ten.recip() } else { ten }));
            }
        }
    }
    for (long, short, power) in BINARY {
        for (prefix, is_long) in [(long, true), (short, false)] {
            if let Some(unit) = name.strip_prefix(prefix).and_then(|r| prefixed(r, Prefixes::Binary, is_long))
                && unit.dimension.base() == Some("information")
            {
                return Some(scaled(unit, short, Rational::from_integer(num_bigint::BigInt::from(1) << *power)));
            }
        }
    }
    None
}

/// All units of a dimension, by symbol, in the order of their names.
#[must_use]
pub fn of_dimension(dimension: &str) -> Vec<String> {
    TABLE.names.iter().filter(|(_, d)| d == dimension).map(|(s, _)| s.clone()).collect()
}

/// All symbols of the table.
#[must_use]
pub fn symbols() -> Vec<String> {
    TABLE.names.iter().map(|(s, _)| s.clone()).collect()
}
