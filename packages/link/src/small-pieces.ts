/** A piece below it costs more to handle than to carry. An SSH packet with one character is about as long. */
const SMALL_BYTES = 64;
/** So many small pieces at once, and so many a second for as long as a peer likes: more than an honest one has ever sent. */
const BURST = 32_768;
const PER_MS = 16;

/**
 * Counts the small pieces of one link. Each costs this process some 3 µs whatever it carries, and libuv reads 2 MB of them
 * before anybody else has a turn: single bytes of one device held everybody up for seconds. `onFlood` is called once. A piece that costs
 * more, whatever its bytes are, counts as `weight` small ones.
 */
export function countSmallPieces(onFlood: () => void): (bytes: number, weight?: number) => void {
  let left = BURST;
  let at = performance.now();
  return (bytes, weight = 1) => {
    if (bytes >= SMALL_BYTES || left < 0) return;
    left -= weight;
    if (left > 0) return;
    // Looked at only here: a clock for each piece would cost as much as the piece.
    const now = performance.now();
    left = Math.min(BURST, Math.floor((now - at) * PER_MS));
    at = now;
    if (left > 0) return;
    left = -1;
    onFlood();
  };
}
