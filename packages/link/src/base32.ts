const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648 base32 in upper case, without padding. */
export function encodeBase32(bytes: Uint8Array): string {
  let text = '';
  let pending = 0;
  let bits = 0;
  for (const byte of bytes) {
    pending = (pending << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(pending >> bits) & 31];
    }
    pending &= (1 << bits) - 1;
  }
  if (bits > 0) text += ALPHABET[(pending << (5 - bits)) & 31];
  return text;
}
