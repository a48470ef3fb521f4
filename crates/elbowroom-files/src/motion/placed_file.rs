//! A file that several threads read, each at places of its own.

use std::fs::File;
use std::io::{self, ErrorKind};
#[cfg(not(unix))]
use std::sync::{Mutex, PoisonError};

/// A file whose bytes are read where they lie. Where the system reads at a place, threads share no lock.
#[derive(Debug)]
pub(super) struct PlacedFile {
    #[cfg(unix)]
    file: File,
    /// A read begins where the file stands, so only one thread reads at a time.
    #[cfg(not(unix))]
    file: Mutex<File>,
}

impl PlacedFile {
    pub fn new(file: File) -> PlacedFile {
        #[cfg(not(unix))]
        let file = Mutex::new(file);
        PlacedFile { file }
    }

    /// Reads so many bytes from a place on.
    ///
    /// # Errors
    /// The file can no longer be read, or ends before.
    pub fn read_bytes(&self, from: u64, count: u64) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; usize::try_from(count).map_err(|_| ErrorKind::OutOfMemory)?];
        self.fill_bytes(from, &mut bytes)?;
        Ok(bytes)
    }

    #[cfg(unix)]
    fn fill_bytes(&self, from: u64, bytes: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, bytes, from)
    }

    #[cfg(not(unix))]
    fn fill_bytes(&self, from: u64, bytes: &mut [u8]) -> io::Result<()> {
        use std::io::{Read, Seek, SeekFrom};
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(from))?;
        file.read_exact(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file in which each eight bytes are their own place.
    fn counted_file(name: &str, words: u64) -> PlacedFile {
        let path = std::env::temp_dir().join(format!("elbowroom-{name}-{}", std::process::id()));
        std::fs::write(&path, (0..words).flat_map(u64::to_le_bytes).collect::<Vec<u8>>()).unwrap();
        let file = File::open(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        PlacedFile::new(file)
    }

    #[test]
    fn threads_read_the_bytes_of_their_places() {
        let file = counted_file("places", 4096);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let file = &file;
                scope.spawn(move || {
                    for k in 0..2000 {
                        let word = (k * 37 + thread * 1021) % 4000;
                        let bytes = file.read_bytes(8 * word, 8 * 96).unwrap();
                        let words = bytes.as_chunks::<8>().0.iter().copied().map(u64::from_le_bytes);
                        assert!(words.eq(word..word + 96), "thread {thread}, word {word}");
                    }
                });
            }
        });
    }

    #[test]
    fn a_file_that_ends_before_is_an_error() {
        let file = counted_file("short", 4);
        assert_eq!(file.read_bytes(24, 8).unwrap(), 3_u64.to_le_bytes());
        assert_eq!(file.read_bytes(24, 9).unwrap_err().kind(), ErrorKind::UnexpectedEof);
        assert_eq!(file.read_bytes(33, 1).unwrap_err().kind(), ErrorKind::UnexpectedEof);
    }
}
