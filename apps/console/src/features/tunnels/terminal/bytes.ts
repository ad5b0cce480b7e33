const encoder = new TextEncoder();

/** What a person typed, as the device's UTF-8. */
export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/** xterm's mouse reports: one byte in each character, not UTF-8. */
export function encodeBinary(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff);
}
