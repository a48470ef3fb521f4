//! Local search without derivatives: a random step from the best point is kept if it is better.
//!
//! The (1+1) evolution strategy with the one-fifth rule (Rechenberg 1973): steps grow on success and shrink
//! on failure. It is slow and robust. The volume of a fit has kinks, where another corner becomes decisive,
//! so gradients would fail. The random numbers are the same every time.

use elbowroom_describe::math::Random;

/// The start of the random numbers of every fit.
pub(super) const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// Nearly normally distributed.
fn draw_normal(random: &mut Random) -> f64 {
    random.unit() + random.unit() + random.unit() + random.unit() - 2.0
}

/// Searches for a smaller `f` around `start` in at most `tries` steps, at first of about `step`. Returns the
/// best point and its `f`.
pub(super) fn search_locally<const N: usize>(
    start: [f64; N],
    mut step: f64,
    tries: usize,
    random: &mut Random,
    mut f: impl FnMut(&[f64; N]) -> f64,
) -> ([f64; N], f64) {
    let mut best = (start, f(&start));
    for _ in 0..tries {
        let to = best.0.map(|x| x + step * draw_normal(random));
        let value = f(&to);
        if value < best.1 {
            best = (to, value);
            step *= 1.5;
        } else {
            step *= 0.92;
            if step < 1e-9 {
                break;
            }
        }
    }
    best
}
