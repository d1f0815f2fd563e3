//! A pipe between two threads of this process: bytes in large pieces, a few of them under way at a time.

use std::io::{self, Read, Write};
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
    (Inlet { send, piece: Vec::with_capacity(PIECE) }, Outlet { receive, piece: Vec::new(), at: 0, is_ended: false })
}

/// Where bytes go in. Dropped without [`Inlet::end`], it breaks the pipe: what came out must not be taken for all.
#[derive(Debug)]
pub(super) struct Inlet {
    send: SyncSender<Piece>,
    piece: Vec<u8>,
}

impl Inlet {
    /// Says that all of it was written.
    pub(super) fn end(mut self) -> io::Result<()> {
        self.send_piece()?;
        self.send.send(None).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    fn send_piece(&mut self) -> io::Result<()> {
        if self.piece.is_empty() {
            return Ok(());
        }
        let piece = std::mem::replace(&mut self.piece, Vec::with_capacity(PIECE));
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
    piece: Vec<u8>,
    at: usize,
    is_ended: bool,
}

impl Read for Outlet {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.at == self.piece.len() && !self.is_ended {
            match self.receive.recv() {
                Ok(Some(piece)) => (self.piece, self.at) = (piece, 0),
                Ok(None) => self.is_ended = true,
                Err(_) => return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the other end gave up")),
            }
        }
        let rest = self.piece.get(self.at..).unwrap_or_default();
        let taken = rest.len().min(into.len());
        if let (Some(into), Some(rest)) = (into.get_mut(..taken), rest.get(..taken)) {
            into.copy_from_slice(rest);
        }
        self.at += taken;
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
