/** As people search: without regard to case, ё as е. Keeps the length, so that places in it are places in the text. */
function fold(text: string): string {
  const lower = text.toLowerCase().replaceAll('ё', 'е');
  return lower.length === text.length ? lower : text;
}

function splitWords(text: string): string[] {
  return [...new Set(text.split(/\s+/).filter((word) => word !== ''))];
}

const latin = "`qwertyuiop[]asdfghjkl;'zxcvbnm,.";
const cyrillic = 'ёйцукенгшщзхъфывапролджэячсмитьбю';
const otherLayout = new Map([
  ...[...latin].map((key, index) => [key, cyrillic.charAt(index)] as const),
  ...[...cyrillic].map((key, index) => [key, latin.charAt(index)] as const),
]);

/** What the same keys write in the other layout: `ьфз` is `map`, and `rfhnf` is `карта`. */
export function swapLayout(typed: string): string {
  return [...typed.toLowerCase()].map((letter) => otherLayout.get(letter) ?? letter).join('');
}

/** Whether every word of what was typed stands in the label. */
export function matches(label: string, typed: string): boolean {
  const folded = fold(label);
  return splitWords(typed).every((word) => folded.includes(fold(word)));
}

/** Whether one of the label's words begins with what was typed: then it is probably meant. */
export function isLikely(label: string, typed: string): boolean {
  const start = fold(typed.trim());
  return start.length > 1 && ` ${fold(label)}`.includes(` ${start}`);
}

export interface Part {
  text: string;
  isMatch: boolean;
}

/** The text in pieces: those that were searched for, in whichever layout, and the others. */
export function splitMatches(text: string, typed: string): Part[] {
  const parts = split(text, typed);
  return parts.some(({ isMatch }) => isMatch) ? parts : split(text, swapLayout(typed));
}

function split(text: string, typed: string): Part[] {
  const folded = fold(text);
  const marks = new Array<boolean>(text.length).fill(false);
  for (const word of splitWords(typed).map(fold)) {
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + 1)) {
      marks.fill(true, at, at + word.length);
    }
  }
  const parts: Part[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const isMatch = marks[index] === true;
    const last = parts.at(-1);
    if (last && last.isMatch === isMatch) last.text += text[index];
    else parts.push({ text: text.charAt(index), isMatch });
  }
  return parts;
}
