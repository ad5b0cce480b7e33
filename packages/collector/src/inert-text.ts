import { makeInert } from '@pult/link';

/**
 * Any bytes as a text that can be stored and shown as it stands: invalid UTF-8 and control characters become U+FFFD, ends
 * of lines spaces. What is longer than `maxLength` UTF-16 code units is cut, with `…` at its end. Markup is text like any
 * other. Looks at no more bytes than it needs, however many there are.
 */
export function toInertText(bytes: Buffer, maxLength: number): string {
  // No character of UTF-8 has more than four bytes for two code units, or three for one.
  const text = bytes.subarray(0, maxLength * 3 + 4).toString('utf8');
  return cleanText(text, maxLength, bytes.length > maxLength * 3 + 4);
}

export function cleanText(text: string, maxLength: number, isCut = false): string {
  const lines = text.slice(0, maxLength + 1).replace(/[\t\n\r\u2028\u2029]/g, ' ');
  const clean = makeInert(lines, '\ufffd');
  if (!isCut && clean.length <= maxLength) return clean;
  // Not in the middle of a character.
  return `${clean.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
