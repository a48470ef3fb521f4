//! Local search without derivatives: a random step from the best point is kept if it is better.
//!
//! The (1+1) evolution strategy with the one-fifth rule (Rechenberg 1973): steps grow on success and shrink
//! on failure. It is slow and robust. The volume of a fit has kinks, where another corner becomes decisive,
//! so gradients would fail. The random numbers are the same every time.

/// Random numbers from a fixed start.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new() -> Dice {
        Dice(0x9e37_79b9_7f4a_7c15)
    }
    /// Splitmix64, to a number between 0 and 1.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
    /// Nearly normally distributed.
    fn normal(&mut self) -> f64 {
        self.unit() + self.unit() + self.unit() + self.unit() - 2.0
    }
}

/// Searches for a smaller `f` around `start` in at most `tries` steps, at first of about `step`. Returns the
/// best point and its `f`.
pub(super) fn improve<const N: usize>(
    start: [f64; N],
    mut step: f64,
    tries: usize,
    dice: &mut Dice,
    mut f: impl FnMut(&[f64; N]) -> f64,
) -> ([f64; N], f64) {
    let mut best = (start, f(&start));
    for _ in 0..tries {
        let to = best.0.map(|x| x + step * dice.normal());
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
