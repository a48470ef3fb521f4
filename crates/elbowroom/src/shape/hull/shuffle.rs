//! A shuffle that is the same every time.

/// Fisher-Yates shuffle with splitmix64 and a fixed seed: enough, because inputs cannot adapt to it.
pub(super) fn shuffle(items: &mut [u32]) {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for i in (1..items.len()).rev() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        items.swap(i, (z % (i as u64 + 1)) as usize);
    }
}
