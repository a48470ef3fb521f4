//! Kernels are compiled for the registers that they are written for.

/// A closure, or a function that is not inlined, is compiled without the features of the kernel around it.
/// Then each operation of its lanes is a call, which makes it five times as slow, and no answer tells.
#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn no_operation_on_lanes_is_a_call() {
    let bytes = std::fs::read(env!("CARGO_BIN_EXE_elbowroom")).expect("the program can be read");
    let names = |part: &[u8]| {
        let starts = bytes.windows(part.len()).enumerate().filter(|(_, window)| *window == part);
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let name =
            |(at, _)| bytes[at..].iter().take_while(|byte| is_name(byte)).map(|b| char::from(*b)).collect();
        starts.map(name).collect::<Vec<String>>()
    };
    // If symbols were stripped, no call could be found: the kernels must have their names.
    assert!(!names(b"with_avx2").is_empty());
    // Operations on numbers: other crates have kernels on bytes, and a build for tests calls loads and
    // stores.
    let moves = |name: &str| name.contains("load") || name.contains("store");
    let is_ours = |name: &String| (name.contains("_pd") || name.contains("_ps")) && !moves(name);
    let calls: Vec<_> = names(b"_mm256_").into_iter().filter(is_ours).collect();
    assert_eq!(calls, [""; 0]);
}
