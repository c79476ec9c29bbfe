//! Exact quantities: a rational number and a unit.
//!
//! Minutes, hours, days and weeks have fixed lengths here (86 400 s a day). Months and years are a dimension of
//! their own, because a month has no fixed number of days. Pints and gallons are those of the United States.

pub mod calculate;
pub mod definitions;
pub mod rational;
pub mod unit_text;
pub mod units;

use num_traits::{One, Zero};

pub use calculate::calculate;
pub use rational::Rational;
pub use unit_text::parse_unit;
pub use units::{Dimension, Unit};

/// A number of units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// How many.
    pub value: Rational,
    /// Of what; [`Unit::one`] for a plain number.
    pub unit: Unit,
}

impl Quantity {
    /// A plain number.
    #[must_use]
    pub fn plain(value: Rational) -> Self {
        Self { value, unit: Unit::one() }
    }

    /// The value in coherent base units.
    #[must_use]
    pub fn base(&self) -> Rational {
        &self.value * &self.unit.size + &self.unit.zero
    }

    /// The same quantity in another unit of the same dimension.
    ///
    /// # Errors
    /// The dimensions differ: the clause names both units.
    pub fn to(&self, unit: &Unit) -> Result<Self, String> {
        if self.unit.dimension != unit.dimension {
            return Err(mismatch(&self.unit, unit));
        }
        Ok(Self { value: (self.base() - &unit.zero) / &unit.size, unit: unit.clone() })
    }

    /// The sum, in the unit of the first.
    ///
    /// # Errors
    /// The dimensions differ, or a temperature scale with its own zero takes part.
    pub fn plus(&self, other: &Self) -> Result<Self, String> {
        affine(self)?;
        affine(other)?;
        let other = other.to(&self.unit)?;
        Ok(Self { value: &self.value + other.value, unit: self.unit.clone() })
    }

    /// The product; a plain factor keeps the other's unit, otherwise the unit is the coherent one.
    ///
    /// # Errors
    /// A temperature scale with its own zero takes part.
    pub fn times(&self, other: &Self) -> Result<Self, String> {
        affine(self)?;
        affine(other)?;
        if other.unit.dimension.is_none() {
            return Ok(Self { value: &self.value * other.base(), unit: self.unit.clone() });
        }
        if self.unit.dimension.is_none() {
            return Ok(Self { value: self.base() * &other.value, unit: other.unit.clone() });
        }
        Ok(coherent(self.base() * other.base(), self.unit.dimension.times(&other.unit.dimension)))
    }

    /// One divided by the quantity.
    ///
    /// # Errors
    /// Zero, or a temperature scale with its own zero.
    pub fn inverse(&self) -> Result<Self, String> {
        affine(self)?;
        if self.value.is_zero() {
            return Err("division by zero".into());
        }
        let dimension = self.unit.dimension.raised(-1).ok_or("a power too large")?;
        Ok(coherent(self.base().recip(), dimension))
    }

    /// A whole power.
    ///
    /// # Errors
    /// Powers that are not whole or too large.
    pub fn raised(&self, exponent: &Rational) -> Result<Self, String> {
        affine(self)?;
        let value = rational::power(&self.base(), exponent)?;
        if self.unit.dimension.is_none() {
            return Ok(Self::plain(value));
        }
        let n = num_traits::ToPrimitive::to_i32(exponent).ok_or("a power too large")?;
        let dimension = self.unit.dimension.raised(n).ok_or("a power too large")?;
        Ok(coherent(value, dimension))
    }
}

fn coherent(value: Rational, dimension: Dimension) -> Quantity {
    let unit = Unit { text: dimension.coherent_unit(), size: Rational::one(), zero: Rational::zero(), dimension };
    Quantity { value, unit }
}

fn affine(quantity: &Quantity) -> Result<(), String> {
    if quantity.unit.zero.is_zero() {
        Ok(())
    } else {
        Err(format!("a temperature in {} cannot be added or multiplied", quantity.unit.text))
    }
}

fn mismatch(from: &Unit, to: &Unit) -> String {
    let calendar = from.dimension.is_calendar() != to.dimension.is_calendar();
    let name = |u: &Unit| {
        if u.text.is_empty() { "a plain number".to_owned() } else { u.text.clone() }
    };
    if calendar {
        format!("months and years have no fixed length, so {} and {} do not convert", name(from), name(to))
    } else if from.dimension.is_money() && to.dimension.is_money() {
        format!("{} to {} needs an exchange rate", name(from), name(to))
    } else {
        format!("{} and {} measure different things", name(from), name(to))
    }
}

/// Reads a quantity: `5 ft 7 in`, `4.20 USD`, `$4.20`, `15%`, `3 1/2 h`, `-40 °C`, `12`.
///
/// # Errors
/// One clause: not a number, not a unit, or parts of different dimensions.
pub fn parse(text: &str) -> Result<Quantity, String> {
    calculate(text)
}

/// Converts a quantity to a unit, or to a multiple of one (`30 ft` to `6 ft` is 5).
///
/// # Errors
/// As [`parse`], and when the two measure different things.
pub fn convert(quantity: &str, to: &str) -> Result<Quantity, String> {
    let from = parse(quantity)?;
    if let Ok(unit) = parse_unit(to) {
        return from.to(&unit);
    }
    if matches!(to.trim(), "%" | "percent") && from.unit.dimension.is_none() {
        return Ok(Quantity { value: from.base() * Rational::from_integer(100.into()), unit: percent() });
    }
    let many = parse(to)
        .map_err(|_| format!("\"{}\" is not a unit I know", to.trim().chars().take(40).collect::<String>()))?;
    affine(&many)?;
    affine(&from)?;
    if many.value.is_zero() {
        return Err("division by zero".into());
    }
    let one = from.to(&many.unit)?;
    Ok(Quantity { value: one.value / &many.value, unit: Unit { text: to.trim().to_owned(), ..many.unit } })
}

/// The unit of percentages.
#[must_use]
pub fn percent() -> Unit {
    Unit { text: "%".into(), size: Rational::new(1.into(), 100.into()), ..Unit::one() }
}

/// Whether two quantities or units measure the same thing.
///
/// # Errors
/// As [`parse`].
pub fn same_dimension(a: &str, b: &str) -> Result<bool, String> {
    let dimension = |t: &str| parse_unit(t).map(|u| u.dimension).or_else(|_| parse(t).map(|q| q.unit.dimension));
    Ok(dimension(a)? == dimension(b)?)
}

#[cfg(test)]
mod tests;
