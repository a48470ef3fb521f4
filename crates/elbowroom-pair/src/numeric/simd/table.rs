//! The table of operations on lanes: each is written once, with what every processor calls it.
//!
//! A row has the kind of its lanes (`F`: four f64, `E`: eight f32), the name and operands of the operation,
//! and four columns: what it is in one lane, in an AVX2 register, in half of it as a NEON register, and in
//! half of it as a register of WebAssembly. `min` and `max` take the second operand where unordered, on every
//! processor, and so are spelled as a comparison and a choice where the processor's own differ.
//!
//! Who adds a processor adds a column, and a file beside this one for what moves numbers between lanes.

/// Gives the table to the macro that is named: `one_lane_rows`, `avx2_rows`, or `half_rows`.
macro_rules! with_table {
    ($rows:ident $(, $column:ident)?) => {
        $rows! {
            $($column)?
            [F add(a, b)  [a + b] [_mm256_add_pd(a, b)] [vaddq_f64(a, b)] [f64x2_add(a, b)]]
            [E add8(a, b) [a + b] [_mm256_add_ps(a, b)] [vaddq_f32(a, b)] [f32x4_add(a, b)]]
            [F sub(a, b)  [a - b] [_mm256_sub_pd(a, b)] [vsubq_f64(a, b)] [f64x2_sub(a, b)]]
            [E sub8(a, b) [a - b] [_mm256_sub_ps(a, b)] [vsubq_f32(a, b)] [f32x4_sub(a, b)]]
            [F mul(a, b)  [a * b] [_mm256_mul_pd(a, b)] [vmulq_f64(a, b)] [f64x2_mul(a, b)]]
            [E mul8(a, b) [a * b] [_mm256_mul_ps(a, b)] [vmulq_f32(a, b)] [f32x4_mul(a, b)]]
            [F div(a, b)  [a / b] [_mm256_div_pd(a, b)] [vdivq_f64(a, b)] [f64x2_div(a, b)]]
            [E div8(a, b) [a / b] [_mm256_div_ps(a, b)] [vdivq_f32(a, b)] [f32x4_div(a, b)]]
            [F sqrt(a) [sqrt(a)] [_mm256_sqrt_pd(a)] [vsqrtq_f64(a)] [f64x2_sqrt(a)]]
            // Correctly rounded: f64 has more than twice the digits of f32.
            [E sqrt8(a) [sqrt(f64::from(a)) as f32] [_mm256_sqrt_ps(a)] [vsqrtq_f32(a)] [f32x4_sqrt(a)]]
            [F min(a, b)
                [if a < b { a } else { b }]
                [_mm256_min_pd(a, b)]
                [vbslq_f64(vcltq_f64(a, b), a, b)]
                [f64x2_pmin(b, a)]]
            [E min8(a, b)
                [if a < b { a } else { b }]
                [_mm256_min_ps(a, b)]
                [vbslq_f32(vcltq_f32(a, b), a, b)]
                [f32x4_pmin(b, a)]]
            [F max(a, b)
                [if a > b { a } else { b }]
                [_mm256_max_pd(a, b)]
                [vbslq_f64(vcgtq_f64(a, b), a, b)]
                [f64x2_pmax(b, a)]]
            [E max8(a, b)
                [if a > b { a } else { b }]
                [_mm256_max_ps(a, b)]
                [vbslq_f32(vcgtq_f32(a, b), a, b)]
                [f32x4_pmax(b, a)]]
            [F gt(a, b)
                [lane_mask(a > b)]
                [_mm256_cmp_pd::<_CMP_GT_OQ>(a, b)]
                [vreinterpretq_f64_u64(vcgtq_f64(a, b))]
                [f64x2_gt(a, b)]]
            [F and(a, b)
                [f64::from_bits(a.to_bits() & b.to_bits())]
                [_mm256_and_pd(a, b)]
                [vreinterpretq_f64_u64(vandq_u64(vreinterpretq_u64_f64(a), vreinterpretq_u64_f64(b)))]
                [v128_and(a, b)]]
            [F select(m, a, b)
                [if m.to_bits() >> 63 != 0 { a } else { b }]
                [_mm256_blendv_pd(b, a, m)]
                [vbslq_f64(vreinterpretq_u64_f64(m), a, b)]
                [v128_bitselect(a, b, m)]]
            [E positive8(c, a, b)
                [if c > 0.0 { a } else { b }]
                [_mm256_blendv_ps(b, a, _mm256_cmp_ps::<_CMP_GT_OQ>(c, _mm256_setzero_ps()))]
                [vbslq_f32(vcgtzq_f32(c), a, b)]
                [v128_bitselect(a, b, f32x4_gt(c, f32x4_splat(0.0)))]]
        }
    };
}

/// Methods whose bodies are operations of one processor.
///
/// Every such operation is called in the one `unsafe` block here. WebAssembly's are safe.
#[allow(unused_macros)]
macro_rules! processor_methods {
    ($($(#[$note:meta])*
        fn $name:ident$(<const $n:ident: usize>)?($this:ident $(, $arg:ident: $type:ty)*) -> $result:ty
        $body:block)*) => {$(
        $(#[$note])*
        #[inline(always)]
        fn $name$(<const $n: usize>)?($this $(, $arg: $type)*) -> $result {
            // SAFETY: a value of this type exists only where the processor has its operations: `detect` makes
            // it. Loads and stores need no alignment, and their pointers come from arrays of their lengths;
            // where one goes into a table, the lines before it hold every index below the table's end.
            #[allow(unused_unsafe)]
            unsafe { $body }
        }
    )*};
}

/// The lanes of a processor whose registers hold half of them: two registers each.
///
/// `$column` names the column of the table. What moves numbers between lanes stands on the methods of the
/// processor's own file, each on one register or two.
#[allow(unused_macros)]
macro_rules! lanes_of_halves {
    ($lanes:ident, $column:ident, $double:ty, $single:ty) => {
        impl Lanes for $lanes {
            type F = [$double; 2];
            type E = [$single; 2];
            type I = [u32; 8];
            with_table!(half_rows, $column);
            #[inline(always)]
            fn load(self, a: &[f64; 4]) -> [$double; 2] {
                [self.load_half(&[a[0], a[1]]), self.load_half(&[a[2], a[3]])]
            }
            #[inline(always)]
            fn load8(self, a: &[f32; 8]) -> [$single; 2] {
                [self.load8_half(&[a[0], a[1], a[2], a[3]]), self.load8_half(&[a[4], a[5], a[6], a[7]])]
            }
            #[inline(always)]
            fn to_array(self, [low, high]: [$double; 2]) -> [f64; 4] {
                let ([a, b], [c, d]) = (self.half_to_array(low), self.half_to_array(high));
                [a, b, c, d]
            }
            #[inline(always)]
            fn to_array8(self, [low, high]: [$single; 2]) -> [f32; 8] {
                let ([a, b, c, d], [e, f, g, h]) = (self.half_to_array8(low), self.half_to_array8(high));
                [a, b, c, d, e, f, g, h]
            }
            #[inline(always)]
            fn to_indices8(self, [low, high]: [$single; 2]) -> [u32; 8] {
                let ([a, b, c, d], [e, f, g, h]) = (self.half_to_indices(low), self.half_to_indices(high));
                [a, b, c, d, e, f, g, h]
            }
            #[inline(always)]
            fn splat(self, x: f64) -> [$double; 2] {
                [self.splat_half(x); 2]
            }
            #[inline(always)]
            fn splat8(self, x: f32) -> [$single; 2] {
                [self.splat8_half(x); 2]
            }
            #[inline(always)]
            fn mask_bits(self, [low, high]: [$double; 2]) -> u32 {
                self.sign_bits(low) | self.sign_bits(high) << 2
            }
            #[inline(always)]
            fn rotate3(self, [low, high]: [$double; 2]) -> [$double; 2] {
                [self.join_inner(low, high), self.join_outer(low, high)]
            }
            #[inline(always)]
            fn transpose(self, [a, b, c, d]: [[$double; 2]; 4]) -> [[$double; 2]; 4] {
                [
                    [self.join_first(a[0], b[0]), self.join_first(c[0], d[0])],
                    [self.join_second(a[0], b[0]), self.join_second(c[0], d[0])],
                    [self.join_first(a[1], b[1]), self.join_first(c[1], d[1])],
                    [self.join_second(a[1], b[1]), self.join_second(c[1], d[1])],
                ]
            }
            #[inline(always)]
            fn narrow_lanes(self, low: [$double; 2], high: [$double; 2]) -> [$single; 2] {
                [self.narrow_half(low[0], low[1]), self.narrow_half(high[0], high[1])]
            }
            #[inline(always)]
            fn above_mask8(self, a: [$single; 2], b: [$single; 2]) -> u32 {
                self.above_bits(a[0], b[0]) | self.above_bits(a[1], b[1]) << 4
            }
            one_by_one!();
        }
    };
}

/// The rows of the table for halves.
#[allow(unused_macros)]
macro_rules! half_rows {
    (neon $([$kind:ident $name:ident($($arg:ident),*) $lane:tt $avx2:tt [$half:expr] $wasm:tt])*) => {
        half_rows!(each $([$kind $name($($arg),*) $half])*);
    };
    (simd128 $([$kind:ident $name:ident($($arg:ident),*) $lane:tt $avx2:tt $neon:tt [$half:expr]])*) => {
        half_rows!(each $([$kind $name($($arg),*) $half])*);
    };
    (each $([$kind:ident $name:ident($($arg:ident),*) $half:expr])*) => {
        processor_methods! {$(
            fn $name(self $(, $arg: Self::$kind)*) -> Self::$kind {
                [
                    { let ($($arg,)*) = ($($arg[0],)*); $half },
                    { let ($($arg,)*) = ($($arg[1],)*); $half },
                ]
            }
        )*}
    };
}

/// What looks numbers up, or finds a lane, one lane after another: the operations that a processor without
/// gathers has no better form of.
macro_rules! one_by_one {
    () => {
        #[inline(always)]
        fn load_indices8(self, a: &[u32; 8]) -> [u32; 8] {
            *a
        }
        #[inline(always)]
        fn gather8(self, table: &[f32], at: [u32; 8], offset: u32) -> Self::E {
            let last = table.len() - 1;
            self.load8(&each!(E, |i| table[(at[i].wrapping_add(offset) as usize).min(last)]))
        }
        #[inline(always)]
        fn gather_two8(self, table: &[f32], at: [u32; 8]) -> [Self::E; 2] {
            let last = table.len() - 2;
            let at = each!(E, |i| (at[i] as usize).min(last));
            [self.load8(&each!(E, |i| table[at[i]])), self.load8(&each!(E, |i| table[at[i] + 1]))]
        }
        #[inline(always)]
        fn of_largest<const N: usize>(self, key: Self::F, with: [Self::F; N]) -> (f64, [f64; N]) {
            let key = self.to_array(key);
            let later = |i: usize, j: usize| if key[j] > key[i] { j } else { i };
            let best = later(later(0, 1), later(2, 3));
            (key[best], with.map(|w| self.to_array(w)[best]))
        }
        #[inline(always)]
        fn least_lane8(self, a: Self::E) -> (f32, u32) {
            let a = self.to_array8(a);
            let lesser = |i: usize, j: usize| if a[j] < a[i] { j } else { i };
            let halves = [lesser(lesser(0, 1), lesser(2, 3)), lesser(lesser(4, 5), lesser(6, 7))];
            let least = lesser(halves[0], halves[1]);
            (a[least], least as u32)
        }
    };
}
