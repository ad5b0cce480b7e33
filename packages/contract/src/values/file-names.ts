/**
 * A system of files knows names as bytes. One that is no UTF-8, as older programs in Russian leave them, stands in our texts
 * with a character of private use for each byte that is none: U+F780 for 0x80 up to U+F7FF for 0xFF. So it names its file
 * everywhere, and no other.
 */
const rawBytes = /[\uf780-\uf7ff]/g;
const base = 0xf700;

export function toRawByte(byte: number): string {
  return String.fromCharCode(base + byte);
}

/** The byte that a character stands for; undefined for any other. */
export function fromRawByte(character: string): number | undefined {
  const byte = character.charCodeAt(0) - base;
  return character.length === 1 && byte >= 0x80 && byte <= 0xff ? byte : undefined;
}

export function hasRawBytes(name: string): boolean {
  return name.search(rawBytes) >= 0;
}

/** As it can be read and saved anywhere, `%EE` for such a byte. It does not lead back to the file. */
export function showRawBytes(name: string): string {
  return name.replace(
    rawBytes,
    (character) => `%${(character.charCodeAt(0) - base).toString(16).toUpperCase()}`,
  );
}
