//! Intervals and tests. Nothing here draws from the machine: a bootstrap's lots come from a seed.

use serde::{Deserialize, Serialize};

/// Resamples of a bootstrap.
pub(super) const RESAMPLES: usize = 10_000;
/// Normal quantile of a 95 % interval.
const Z: f64 = 1.959_963_984_540_054;

/// An estimate with its 95 % interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The estimate.
    pub mean: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Wilson's score interval of a proportion `p` (0 to 1) seen in `n` independent questions; 0 to 1 where there are none.
#[must_use]
pub fn wilson(p: f64, n: usize) -> Interval {
    if n == 0 {
        return Interval { mean: 0.0, low: 0.0, high: 1.0 };
    }
    let n = n as f64;
    let whole = 1.0 + Z * Z / n;
    let middle = (p + Z * Z / (2.0 * n)) / whole;
    let half = Z / whole * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    Interval { mean: p, low: (middle - half).max(0.0), high: (middle + half).min(1.0) }
}

/// Mean of paired differences, one a question, with the percentile interval of a bootstrap over questions.
#[must_use]
pub fn mean_of_pairs(differences: &[f64], seed: u64) -> Interval {
    let n = differences.len();
    if n == 0 {
        return Interval::default();
    }
    let mean = differences.iter().sum::<f64>() / n as f64;
    let mut lots = Lots(seed);
    let mut means: Vec<f64> =
        (0..RESAMPLES).map(|_| (0..n).map(|_| differences[lots.below(n)]).sum::<f64>() / n as f64).collect();
    means.sort_by(f64::total_cmp);
    let at = |part: f64| means[((RESAMPLES - 1) as f64 * part).round() as usize];
    Interval { mean, low: at(0.025), high: at(0.975) }
}

/// McNemar's exact test, two-sided: how likely a split as uneven as this is where neither arm is better.
#[must_use]
pub fn mcnemar(wins: usize, losses: usize) -> f64 {
    let n = wins + losses;
    if n == 0 {
        return 1.0;
    }
    // The logarithm of each binomial term, from that of the one before.
    let mut log = -(n as f64) * std::f64::consts::LN_2;
    let mut tail = 0.0;
    for k in 0..=wins.min(losses) {
        tail += log.exp();
        log += ((n - k) as f64).ln() - ((k + 1) as f64).ln();
    }
    (2.0 * tail).min(1.0)
}

/// The middle of some numbers; 0 where there are none.
pub(super) fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    match numbers.len() {
        0 => 0.0,
        n if n % 2 == 1 => numbers[n / 2],
        n => f64::midpoint(numbers[n / 2 - 1], numbers[n / 2]),
    }
}

/// Numbers that look random and are the same for the same seed (SplitMix64).
struct Lots(u64);

impl Lots {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which is far below 2^32.
    fn below(&mut self, n: usize) -> usize {
        let wide = u128::from(self.next()) * n as u128;
        usize::try_from(wide >> 64).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 5e-4, "{a} is not {b}");
    }

    #[test]
    fn wilsons_interval_is_that_of_the_tables() {
        let check = |p: f64, n: usize, low: f64, high: f64| {
            let found = wilson(p, n);
            near(found.low, low);
            near(found.high, high);
        };
        check(0.5, 10, 0.2366, 0.7634);
        check(0.0, 10, 0.0, 0.2775);
        check(1.0, 10, 0.7225, 1.0);
        check(0.7, 200, 0.6332, 0.7593);
        check(0.0, 0, 0.0, 1.0);
    }

    #[test]
    fn mcnemars_test_is_the_sign_test_of_the_discordant() {
        let check = |wins, losses, p| near(mcnemar(wins, losses), p);
        check(0, 0, 1.0);
        check(5, 5, 1.0);
        check(0, 5, 0.0625);
        check(10, 2, 0.0386);
        check(2, 10, 0.0386);
        check(1, 0, 1.0);
        assert!(mcnemar(3000, 1000) < 1e-100);
    }

    #[test]
    fn a_bootstrap_is_fixed_by_its_seed_and_covers_what_it_should() {
        let differences: Vec<f64> = (0..100).map(|at| f64::from(at % 2)).collect();
        let found = mean_of_pairs(&differences, 1);
        assert_eq!(found, mean_of_pairs(&differences, 1));
        near(found.mean, 0.5);
        // The normal approximation says 0.5 ± 0.098.
        assert!((found.low - 0.402).abs() < 0.02 && (found.high - 0.598).abs() < 0.02, "{found:?}");
        assert_eq!(mean_of_pairs(&[2.0; 7], 1), Interval { mean: 2.0, low: 2.0, high: 2.0 });
        assert_eq!(mean_of_pairs(&[], 1), Interval::default());
    }

    #[test]
    fn medians() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(Vec::new()), 0.0);
    }
}
