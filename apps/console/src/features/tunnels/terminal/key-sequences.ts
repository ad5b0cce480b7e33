/** The keys that a phone's keyboard lacks. */
export const namedKeys = [
  ...(['escape', 'tab', 'up', 'down', 'left', 'right'] as const),
  ...(['home', 'end', 'pageUp', 'pageDown'] as const),
] as const;
/** The signs of a shell that it has on its second or third page. */
export const signKeys = ['|', '/', '-', '~'] as const;
export type ExtraKey = (typeof namedKeys)[number] | (typeof signKeys)[number];

const cursorKeys = { up: 'A', down: 'B', right: 'C', left: 'D', home: 'H', end: 'F' } as const;
const plainKeys = { escape: '\x1b', tab: '\t', pageUp: '\x1b[5~', pageDown: '\x1b[6~' } as const;

/** What the key sends (ECMA-48, xterm's control sequences); full-screen programs switch arrows to application mode. A sign is itself. */
export function keySequence(key: ExtraKey, applicationCursorKeys: boolean): string {
  if (key in plainKeys) return plainKeys[key as keyof typeof plainKeys]; // `in` narrows no key
  if (key in cursorKeys) {
    return `\x1b${applicationCursorKeys ? 'O' : '['}${cursorKeys[key as keyof typeof cursorKeys]}`;
  }
  return key;
}

// The Cyrillic letters that share a key with a Latin one: Ctrl+C must work in either layout.
const cyrillic = 'фисвуапршолдьтщзйкыегмцчня';

/** The keys that are held for the next one. */
export const heldKeys = ['control', 'alt'] as const;
export type HeldKey = (typeof heldKeys)[number];

/** What is sent while one is held; Alt is an Escape before it (xterm: metaSendsEscape). */
export function holdKey(held: HeldKey, typed: string): string {
  return held === 'control' ? withControl(typed) : `\x1b${typed}`;
}

/** The control character of a typed one (Ctrl+C is 0x03); what has none stays as it is. */
function withControl(typed: string): string {
  if (typed.length !== 1) return typed;
  const position = cyrillic.indexOf(typed.toLowerCase());
  const latin = position >= 0 ? String.fromCharCode(97 + position) : typed;
  const code = latin.toUpperCase().charCodeAt(0);
  if (code === 32) return '\x00';
  if (code === 63) return '\x7f';
  return code >= 64 && code <= 95 ? String.fromCharCode(code - 64) : typed;
}
