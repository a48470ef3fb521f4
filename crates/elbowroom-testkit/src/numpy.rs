//! Arrays as `numpy.save` writes them.

/// A file of values that are bytes already. `kind` is NumPy's word for them, as `<f8`; `columns_first` is
/// `True` or `False`, and `shape` as in `(2, 3)`: what else stands there is for readers to refuse.
pub fn save_values(kind: &str, columns_first: &str, shape: &str, values: &[u8]) -> Vec<u8> {
    let text = format!("{{'descr': '{kind}', 'fortran_order': {columns_first}, 'shape': {shape}, }}");
    let length = (10 + text.len() + 1).next_multiple_of(64) - 10;
    let header = format!("{text:<0$}\n", length - 1);
    [b"\x93NUMPY\x01\x00", &(length as u16).to_le_bytes()[..], header.as_bytes(), values].concat()
}

/// A file of rows, in `<f8`, `>f8`, `<f4` or `>f4`, by rows or by columns.
pub fn save_rows(rows: &[Vec<f64>], kind: &str, columns_first: bool) -> Vec<u8> {
    let (count, width) = (rows.len(), rows.first().map_or(0, Vec::len));
    let value_at =
        |k: usize| if columns_first { rows[k % count][k / count] } else { rows[k / width][k % width] };
    let values = (0..count * width).map(value_at).flat_map(|x| match kind {
        "<f8" => x.to_le_bytes().to_vec(),
        ">f8" => x.to_be_bytes().to_vec(),
        "<f4" => (x as f32).to_le_bytes().to_vec(),
        _ => (x as f32).to_be_bytes().to_vec(),
    });
    let order = if columns_first { "True" } else { "False" };
    save_values(kind, order, &format!("({count}, {width})"), &values.collect::<Vec<u8>>())
}
