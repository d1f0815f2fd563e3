//! The write-ahead log beside an SQLite database, put into a copy of it in memory: the source stays as it is, and nothing of it
//! is written anywhere. After the format's description, "The Write-Ahead Log" of the SQLite file format.

/// Bytes before the first frame, and before each frame's page.
const HEADER: usize = 32;
const FRAME: usize = 24;

/// Puts the pages of the log's whole transactions into a database. What comes after the last whole one was never committed.
pub(super) fn apply(database: &mut Vec<u8>, log: &[u8]) {
    let Some(header) = Header::read(log) else { return };
    let mut sum = header.sum;
    let mut pages: Vec<(u32, &[u8])> = Vec::new();
    for frame in log.get(HEADER..).unwrap_or_default().chunks_exact(FRAME + header.page) {
        let Some((head, page)) = frame.split_at_checked(FRAME) else { break };
        let salts = head.get(8..16).unwrap_or_default();
        sum = header.sum_of(head.get(..8).unwrap_or_default(), sum);
        sum = header.sum_of(page, sum);
        if salts != header.salts || big(head, 16) != Some(sum.0) || big(head, 20) != Some(sum.1) {
            break;
        }
        let (Some(number), Some(len)) = (big(head, 0), big(head, 4)) else { break };
        pages.push((number, page));
        if len > 0 {
            commit(database, &mut pages, len, header.page);
        }
    }
}

fn commit(database: &mut Vec<u8>, pages: &mut Vec<(u32, &[u8])>, len: u32, page: usize) {
    let size = len as usize * page;
    // A log that makes a database of some kilobytes one of many gigabytes is none.
    if size > database.len() + pages.len() * page {
        pages.clear();
        return;
    }
    database.resize(size, 0);
    for (number, bytes) in pages.drain(..) {
        let from = (number as usize).saturating_sub(1) * page;
        if let Some(place) = database.get_mut(from..from + page) {
            place.copy_from_slice(bytes);
        }
    }
}

struct Header<'a> {
    page: usize,
    salts: &'a [u8],
    sum: (u32, u32),
    is_big: bool,
}

impl<'a> Header<'a> {
    fn read(log: &'a [u8]) -> Option<Self> {
        let is_big = match big(log, 0)? {
            0x377f_0682 => false,
            0x377f_0683 => true,
            _ => return None,
        };
        let page = big(log, 8)? as usize;
        if !(512..=65536).contains(&page) || !page.is_power_of_two() {
            return None;
        }
        let mut header = Self { page, salts: log.get(16..24)?, sum: (0, 0), is_big };
        header.sum = header.sum_of(log.get(..24)?, (0, 0));
        (big(log, 24)? == header.sum.0 && big(log, 28)? == header.sum.1).then_some(header)
    }

    fn sum_of(&self, bytes: &[u8], (mut one, mut two): (u32, u32)) -> (u32, u32) {
        for pair in bytes.as_chunks::<8>().0 {
            let word = |at: usize| {
                let bytes = pair.get(at..at + 4).and_then(|bytes| <[u8; 4]>::try_from(bytes).ok()).unwrap_or_default();
                if self.is_big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
            };
            one = one.wrapping_add(word(0)).wrapping_add(two);
            two = two.wrapping_add(word(4)).wrapping_add(one);
        }
        (one, two)
    }
}

fn big(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}
