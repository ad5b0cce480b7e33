/** The keys that a phone's keyboard lacks. */
export const extraKeys = ['escape', 'tab', 'up', 'down', 'left', 'right'] as const;
export type ExtraKey = (typeof extraKeys)[number];

const arrows = { up: 'A', down: 'B', right: 'C', left: 'D' } as const;

/** What the key sends (ECMA-48, xterm's control sequences); full-screen programs switch arrows to application mode. */
export function keySequence(key: ExtraKey, applicationCursorKeys: boolean): string {
  if (key === 'escape') return '\x1b';
  if (key === 'tab') return '\t';
  return `\x1b${applicationCursorKeys ? 'O' : '['}${arrows[key]}`;
}

// The Cyrillic letters that share a key with a Latin one: Ctrl+C must work in either layout.
const cyrillic = 'фисвуапршолдьтщзйкыегмцчня';

/** The control character of a typed one (Ctrl+C is 0x03); what has none stays as it is. */
export function withControl(typed: string): string {
  if (typed.length !== 1) return typed;
  const position = cyrillic.indexOf(typed.toLowerCase());
  const latin = position >= 0 ? String.fromCharCode(97 + position) : typed;
  const code = latin.toUpperCase().charCodeAt(0);
  if (code === 32) return '\x00';
  if (code === 63) return '\x7f';
  return code >= 64 && code <= 95 ? String.fromCharCode(code - 64) : typed;
}
