//! How the selection moves over a placement.

use super::place::{Placed, Spot};
use crate::tui::action::Action;

/// The item that is next in a direction; none at the edge.
pub(super) fn step(placed: &Placed, from: usize, action: Action) -> Option<usize> {
    let here = *placed.spots.get(from)?;
    let others = || placed.spots.iter().enumerate().filter(|(index, spot)| *index != from && spot.width > 0);
    let beside = |right: bool| {
        let on = |spot: &&(usize, &Spot)| spot.1.row == here.row && (spot.1.x > here.x) == right;
        let found: Vec<(usize, &Spot)> = others().collect();
        found.iter().filter(on).min_by_key(|(_, spot)| (spot.x - here.x).abs()).map(|(index, _)| *index)
    };
    let row = match action {
        Action::Left => return beside(false),
        Action::Right => return beside(true),
        Action::Up => others().map(|(_, spot)| spot.row).filter(|row| *row < here.row).max()?,
        Action::Down => others().map(|(_, spot)| spot.row).filter(|row| *row > here.row).min()?,
        _ => return None,
    };
    let there = others().filter(|(_, spot)| spot.row == row);
    there.min_by_key(|(_, spot)| ((spot.anchor - here.anchor).abs(), spot.x)).map(|(index, _)| index)
}
