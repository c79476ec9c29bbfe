//! Credit for a step (section 4.2, Algorithm 6): who moved J, split over the activations of one cycle.

use std::sync::Arc;

use crate::model::{ActivationId, Contribution, Credit, CreditMethod, ProgramName, Query, Share, WorkingMemory};

use super::ports::Scorer;

/// Most extra scorings a step may take.
const MOST_SCORINGS: u32 = 8;

/// One activation and what it wrote.
#[derive(Clone, Debug)]
pub struct Player {
    /// The activation.
    pub activation: ActivationId,
    /// Its program.
    pub program: ProgramName,
    /// Its stamped contributions.
    pub wrote: Vec<Arc<Contribution>>,
}

/// Splits `all − none` over the players, where `none` is J before the cycle and `all` J after it.
///
/// One player gets the whole change. Two or three get their exact Shapley value by re-scoring coalitions of outputs (2 or
/// 6 extra scorings); four the mean of first-in and last-in (8 scorings), what that leaves is synergy; more get the change
/// without them (leave one out), within 8 scorings.
pub async fn split(
    players: &[Player],
    before: &WorkingMemory,
    query: &Query,
    scorer: &dyn Scorer,
    none: f64,
    all: f64,
) -> Credit {
    let mut coalitions = Coalitions { players, before, query, scorer, none, all, known: Vec::new(), scorings: 0 };
    let count = players.len();
    let delta = all - none;
    let (phis, method) = match count {
        0 | 1 => (vec![delta; count], CreditMethod::Raw),
        2 | 3 => (shapley(&mut coalitions).await, CreditMethod::Shapley),
        4 => (closed_form(&mut coalitions).await, CreditMethod::PairwiseClosedForm),
        _ => (leave_one_out(&mut coalitions).await, CreditMethod::LeaveOneOut),
    };
    let shares: Vec<Share> = players
        .iter()
        .zip(&phis)
        .map(|(player, phi)| Share { activation: player.activation, program: player.program.clone(), phi: *phi })
        .collect();
    let explained: f64 = phis.iter().sum();
    let synergy = if count == 0 || (delta - explained).abs() < 1e-12 { 0.0 } else { delta - explained };
    Credit { delta, shares, synergy, method, scorings: coalitions.scorings }
}

/// v(S) for sets of players as bit masks, each scored once.
struct Coalitions<'a> {
    players: &'a [Player],
    before: &'a WorkingMemory,
    query: &'a Query,
    scorer: &'a dyn Scorer,
    none: f64,
    all: f64,
    known: Vec<(u32, f64)>,
    scorings: u32,
}

impl Coalitions<'_> {
    fn full(&self) -> u32 {
        u32::MAX >> (32 - self.players.len().clamp(1, 32))
    }

    async fn value(&mut self, set: u32) -> f64 {
        if set == 0 {
            return self.none;
        }
        if set == self.full() {
            return self.all;
        }
        if let Some((_, value)) = self.known.iter().find(|(known, _)| *known == set) {
            return *value;
        }
        let mut memory = self.before.clone();
        for (_, player) in self.players.iter().enumerate().filter(|(index, _)| set & (1 << index) != 0) {
            for contribution in &player.wrote {
                memory.push(contribution.clone());
            }
        }
        self.scorings += 1;
        let value = self.scorer.score(self.query, &memory).await.score.mean;
        self.known.push((set, value));
        value
    }
}

async fn shapley(coalitions: &mut Coalitions<'_>) -> Vec<f64> {
    let count = coalitions.players.len();
    let factorial = |n: usize| (1..=n).map(|k| k as f64).product::<f64>();
    let mut phis = Vec::with_capacity(count);
    for player in 0..count {
        let mut phi = 0.0;
        for set in (0..=coalitions.full()).filter(|set| set & (1 << player) == 0) {
            let size = set.count_ones() as usize;
            let weight = factorial(size) * factorial(count - size - 1) / factorial(count);
            let with = coalitions.value(set | (1 << player)).await;
            let without = coalitions.value(set).await;
            phi += weight * (with - without);
        }
        phis.push(phi);
    }
    phis
}

async fn closed_form(coalitions: &mut Coalitions<'_>) -> Vec<f64> {
    let full = coalitions.full();
    let mut phis = Vec::new();
    for player in 0..coalitions.players.len() {
        let first = coalitions.value(1 << player).await - coalitions.none;
        let last = coalitions.all - coalitions.value(full & !(1 << player)).await;
        phis.push(f64::midpoint(first, last));
    }
    phis
}

async fn leave_one_out(coalitions: &mut Coalitions<'_>) -> Vec<f64> {
    let full = coalitions.full();
    let mut phis = Vec::new();
    for player in 0..coalitions.players.len() {
        let affordable = coalitions.scorings < MOST_SCORINGS && player < 32;
        phis.push(if affordable { coalitions.all - coalitions.value(full & !(1 << player)).await } else { 0.0 });
    }
    phis
}
