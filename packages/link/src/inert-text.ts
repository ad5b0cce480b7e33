/**
 * Control characters and halves of surrogate pairs, ends of lines of Unicode, and whatever turns the direction of text (Bidi_Control of
 * UAX 44: marks, embeddings, overrides, isolates): no name may read as another one.
 */
const unwanted = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Whether a text of a device can be stored and shown as it stands. */
export function isInert(text: string): boolean {
  return text.search(unwanted) === -1;
}

/** The same text with a mark for each character that it may not have. */
export function makeInert(text: string, mark: string): string {
  return text.replace(unwanted, mark);
}
