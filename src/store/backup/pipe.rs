//! A pipe between two threads of this process: bytes in large pieces, a few of them under way at a time.

use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// The size of a piece, in bytes.
const PIECE: usize = 256 << 10;
/// How many pieces may wait.
const UNDER_WAY: usize = 4;

/// A piece; `None` says that all of it came.
type Piece = Option<Vec<u8>>;

/// A pipe: what is written comes out of the other end.
pub(super) fn pipe() -> (Inlet, Outlet) {
    let (send, receive) = sync_channel(UNDER_WAY);
    let (give_back, used) = sync_channel(UNDER_WAY + 1);
    let inlet = Inlet { send, used, piece: Vec::with_capacity(PIECE) };
    (inlet, Outlet { receive, give_back, piece: Vec::new(), at: 0, is_ended: false })
}

/// Where bytes go in. Dropped without [`Inlet::end`], it breaks the pipe: what came out must not be taken for all.
#[derive(Debug)]
pub(super) struct Inlet {
    send: SyncSender<Piece>,
    /// Pieces that were read and can be filled anew.
    used: Receiver<Vec<u8>>,
    piece: Vec<u8>,
}

impl Inlet {
    /// Says that all of it was written.
    pub(super) fn end(mut self) -> io::Result<()> {
        self.send_piece()?;
        self.send.send(None).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    /// Puts in all that a reader has, and says that this was all. That nobody wants more of it is no error.
    pub(super) fn take_all(self, from: &mut impl Read) -> io::Result<()> {
        loop {
            let mut piece = self.spare_piece();
            piece.resize(PIECE, 0);
            let mut len = 0;
            while let Some(rest) = piece.get_mut(len..).filter(|rest| !rest.is_empty()) {
                match from.read(rest) {
                    Ok(0) => break,
                    Ok(count) => len += count,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(error),
                }
            }
            piece.truncate(len);
            if self.send.send((len > 0).then_some(piece)).is_err() || len == 0 {
                return Ok(());
            }
        }
    }

    /// A piece to fill, whatever is in it.
    fn spare_piece(&self) -> Vec<u8> {
        self.used.try_recv().unwrap_or_else(|_| Vec::with_capacity(PIECE))
    }

    fn send_piece(&mut self) -> io::Result<()> {
        if self.piece.is_empty() {
            return Ok(());
        }
        let mut next = self.spare_piece();
        next.clear();
        let piece = std::mem::replace(&mut self.piece, next);
        self.send.send(Some(piece)).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

impl Write for Inlet {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(PIECE - self.piece.len());
        self.piece.extend_from_slice(bytes.get(..taken).unwrap_or_default());
        if self.piece.len() == PIECE {
            self.send_piece()?;
        }
        Ok(taken)
    }

    /// Pieces are sent when they are full.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Where bytes come out.
#[derive(Debug)]
pub(super) struct Outlet {
    receive: Receiver<Piece>,
    give_back: SyncSender<Vec<u8>>,
    piece: Vec<u8>,
    at: usize,
    is_ended: bool,
}

impl BufRead for Outlet {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.at == self.piece.len() && !self.is_ended {
            match self.receive.recv() {
                Ok(Some(piece)) => {
                    let used = std::mem::replace(&mut self.piece, piece);
                    self.at = 0;
                    // Where the other end has enough of them, or is gone, it is dropped.
                    drop(self.give_back.try_send(used));
                }
                Ok(None) => self.is_ended = true,
                Err(_) => return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the other end gave up")),
            }
        }
        Ok(self.piece.get(self.at..).unwrap_or_default())
    }

    fn consume(&mut self, count: usize) {
        self.at = self.piece.len().min(self.at + count);
    }
}

impl Read for Outlet {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let taken = self.fill_buf()?.read(into)?;
        self.consume(taken);
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Broken;

    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::InvalidData.into())
        }
    }

    #[test]
    fn what_goes_in_comes_out_and_a_broken_pipe_is_no_end() {
        let bytes: Vec<u8> = (0..3_000_001_u32).map(|nth| nth.to_le_bytes()[0]).collect();
        let (mut inlet, mut outlet) = pipe();
        let sent = bytes.clone();
        let writer = std::thread::spawn(move || inlet.write_all(&sent).and_then(|()| inlet.end()));
        let mut got = Vec::new();
        outlet.read_to_end(&mut got).unwrap();
        writer.join().unwrap().unwrap();
        assert!(got == bytes);

        let (mut inlet, mut outlet) = pipe();
        inlet.write_all(b"half").unwrap();
        drop(inlet);
        assert_eq!(outlet.read_to_end(&mut got).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);

        let (mut inlet, outlet) = pipe();
        drop(outlet);
        assert!(inlet.write_all(&bytes).is_err());
    }

    #[test]
    fn a_pipe_takes_all_that_a_reader_has_as_long_as_somebody_wants_it() {
        let bytes = vec![7; PIECE * 2 + 1];
        for len in [0, 1, PIECE - 1, PIECE, PIECE + 1, bytes.len()] {
            let (inlet, mut outlet) = pipe();
            inlet.take_all(&mut &bytes[..len]).unwrap();
            let mut got = Vec::new();
            outlet.read_to_end(&mut got).unwrap();
            assert!(got == bytes[..len], "{len}");
        }

        let (inlet, outlet) = pipe();
        drop(outlet);
        inlet.take_all(&mut io::repeat(0)).unwrap();

        let (inlet, mut outlet) = pipe();
        assert_eq!(inlet.take_all(&mut Broken).unwrap_err().kind(), io::ErrorKind::InvalidData);
        assert_eq!(outlet.read_to_end(&mut Vec::new()).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }
}
