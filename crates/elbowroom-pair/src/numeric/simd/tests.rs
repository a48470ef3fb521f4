//! A processor's lanes give the same bits as arrays.

use super::{Kernel, Lanes, Plain, dispatch_kernel, lane_numbers, largest_lane};

struct MixFour([f64; 4], [f64; 4]);
impl Kernel for MixFour {
    type Output = ([f64; 4], (f64, u32), u32, [f32; 8]);
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> ([f64; 4], (f64, u32), u32, [f32; 8]) {
        let (a, b) = (l.load(&self.0), l.load(&self.1));
        let m = l.gt(a, b);
        let root = l.sqrt(l.mul(b, b));
        let c = l.select(m, l.min(a, l.rotate3(b)), l.max(l.div(a, root), l.mul(a, b)));
        let [p, q, r, s] = l.transpose([c, a, b, root]);
        let c = l.add(l.sub(p, q), l.mul(r, s));
        (
            l.to_array(l.add(c, l.sub(a, b))),
            largest_lane(l, a, lane_numbers(l)),
            l.mask_bits(m),
            l.to_array8(l.narrow_lanes(a, b)),
        )
    }
}

#[test]
fn four_lanes_give_the_bits_of_arrays() {
    for k in 0..1000 {
        let f = |i: i32| ((k * 7 + i * 13) % 31) as f64 * 0.37 - 4.0;
        let (a, b) = ([f(0), f(1), f(2), f(3)], [f(4), f(5), -f(6), f(7)]);
        let (p, d) = (MixFour(a, b).run(Plain), dispatch_kernel(MixFour(a, b)));
        assert_eq!((p.0.map(f64::to_bits), p.1, p.2, p.3), (d.0.map(f64::to_bits), d.1, d.2, d.3));
        assert_eq!(p.1.1, (0..4).rev().max_by(|i, j| a[*i].total_cmp(&a[*j])).unwrap() as u32);
    }
}

struct MixEight([f32; 8], [f32; 8]);
impl Kernel for MixEight {
    type Output = ([f32; 8], (f32, u32), u32, [[f32; 8]; 4]);
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> ([f32; 8], (f32, u32), u32, [[f32; 8]; 4]) {
        let (a, b) = (l.load8(&self.0), l.load8(&self.1));
        let root = l.sqrt8(l.mul8(b, l.splat8(0.7)));
        let c = l.positive8(a, l.mul8(l.min8(a, b), b), l.max8(l.div8(a, b), l.sub8(a, b)));
        // Whole numbers up to 10, and a table that ends before them.
        let whole = l.to_indices8(l.max8(a, l.splat8(0.0)));
        let far = l.load_indices8(&[3, 1, 0, 7, 8, 9, u32::MAX, 1 << 31]);
        let taken = [l.gather8(&self.0[..5], whole, 2), l.gather8(&self.0, far, 1)];
        let [first, second] = l.gather_two8(&self.0, far);
        let taken = [l.to_array8(taken[0]), l.to_array8(taken[1]), l.to_array8(first), l.to_array8(second)];
        (l.to_array8(l.add8(c, l.positive8(b, root, a))), l.least_lane8(a), l.above_mask8(a, b), taken)
    }
}

#[test]
fn eight_lanes_give_the_bits_of_arrays() {
    for k in 0..1000 {
        let f = |i: i32| ((k * 7 + i * 13) % 31) as f32 * 0.37 - 4.0;
        let a = core::array::from_fn(|i| f(i as i32));
        let b = core::array::from_fn(|i| if i == 3 { f32::NAN } else { f(i as i32 + 9) });
        let (p, d) = (MixEight(a, b).run(Plain), dispatch_kernel(MixEight(a, b)));
        // NaN has many bit patterns.
        let bits = |r: [f32; 8]| r.map(|x| if x.is_nan() { 0 } else { x.to_bits() });
        assert_eq!((bits(p.0), p.1, p.2, p.3), (bits(d.0), d.1, d.2, d.3));
        let index = |i: usize| (a[i].max(0.0) as usize + 2).min(4);
        assert!((0..8).all(|i| p.3[0][i] == a[index(i)] && (p.2 >> i & 1 == 1) == (a[i] > b[i])));
        // An index and an offset that overflow begin again.
        assert_eq!(p.3[1], [4, 2, 1, 7, 7, 7, 0, 7].map(|i| a[i]));
        assert_eq!(p.3[2..], [[3, 1, 0, 6, 6, 6, 6, 6], [4, 2, 1, 7, 7, 7, 7, 7]].map(|r| r.map(|i| a[i])));
        assert!((0..8).all(|i| a[i] > p.1.0 || a[i] == p.1.0 && i as u32 >= p.1.1));
    }
}
