/** What a plain selector of Prometheus asks for: `pult_cpu_usage{serial=~"A|B"}`. */
export interface Selector {
  metric: string | undefined;
  /** Serial numbers asked for by name; undefined for all. */
  serials: string[] | undefined;
}

/** Said to whoever wrote the query, in Grafana's words. */
export class BadSelector extends Error {
  override readonly name = 'BadSelector';
}

/** Characters of a selector: twice what the longest serial numbers of all controllers of one chart need. */
export const maxSelectorLength = 16_384;

const unplain = 'only a plain selector is understood, such as pult_cpu_usage{serial="ABC"}';
const unreadable = 'the labels of the selector cannot be read';

/** Goes over a text once, from its beginning to its end. */
function createReader(text: string) {
  let at = 0;
  const reader = {
    isAtEnd: () => at === text.length,
    /** All characters from here that are of this kind, be there none. */
    takeAll(kind: RegExp): string {
      const start = at;
      while (at < text.length && kind.test(text.charAt(at))) at += 1;
      return text.slice(start, at);
    },
    skipBlanks: () => void reader.takeAll(/\s/),
    /** The first of these texts that stands here. */
    take<Text extends string>(...wanted: readonly Text[]): Text | undefined {
      const found = wanted.find((each) => text.startsWith(each, at));
      at += found?.length ?? 0;
      return found;
    },
    /** What stands between two quotation marks, as written; undefined when there is no such text here. */
    takeQuoted(): string | undefined {
      if (reader.take('"') === undefined) return undefined;
      const start = at;
      while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1;
      return reader.take('"') === undefined ? undefined : text.slice(start, at - 1);
    },
  };
  return reader;
}

/** Undefined for any text; otherwise the texts that match, as a choice of several in Grafana is written. */
function readAlternatives(pattern: string): string[] | undefined {
  if (pattern === '.*' || pattern === '.+') return undefined;
  const isGroup = pattern.length > 1 && pattern.startsWith('(') && pattern.endsWith(')');
  return (isGroup ? pattern.slice(1, -1) : pattern).split('|').map(readAlternative);
}

/** Dots and hyphens may be escaped, as often as there are languages around them. */
function readAlternative(alternative: string): string {
  const reader = createReader(alternative);
  let text = '';
  while (!reader.isAtEnd()) {
    text += reader.takeAll(/[^\\^$*+?()[\]{}]/);
    if (reader.isAtEnd()) break;
    const escaped = reader.takeAll(/\\/) === '' ? undefined : reader.take('-', '.');
    if (escaped === undefined) {
      throw new BadSelector('only serial numbers with | between them can be matched');
    }
    text += escaped;
  }
  return text;
}

/**
 * Reads a selector, in a time that grows with its length and no faster. No more of the language is understood: with
 * PostgreSQL as the store nothing evaluates it. Throws BadSelector.
 */
export function parseSelector(text: string): Selector {
  if (text.length > maxSelectorLength) {
    throw new BadSelector(`a selector has ${maxSelectorLength} characters at most`);
  }
  // PostgreSQL takes no text with a zero in it.
  if (text.trim() === '' || text.includes('\0')) throw new BadSelector(unplain);
  const reader = createReader(text);
  reader.skipBlanks();
  const selector: Selector = { metric: reader.takeAll(/[\w:]/) || undefined, serials: undefined };
  reader.skipBlanks();
  if (reader.take('{') !== undefined) readMatchers(reader, selector);
  reader.skipBlanks();
  if (!reader.isAtEnd() || /^\d/.test(selector.metric ?? '')) throw new BadSelector(unplain);
  return selector;
}

/** What stands in the braces, up to the closing one. */
function readMatchers(reader: ReturnType<typeof createReader>, selector: Selector): void {
  for (;;) {
    reader.skipBlanks();
    if (reader.take('}') !== undefined) return;
    const label = reader.takeAll(/\w/);
    reader.skipBlanks();
    const operator = reader.take('=~', '!~', '!=', '=');
    reader.skipBlanks();
    const value = operator && reader.takeQuoted();
    if (label === '' || value === undefined) throw new BadSelector(unreadable);
    if (operator === '!=' || operator === '!~') throw new BadSelector(`${operator} is not understood`);
    const wanted = operator === '=' ? [value] : readAlternatives(value);
    if (label === '__name__' && wanted?.length === 1) selector.metric = wanted[0];
    else if (label === 'serial') selector.serials = wanted;
    else throw new BadSelector(`only the labels __name__ and serial can be asked for, not ${label}`);
    reader.skipBlanks();
    if (reader.take('}') !== undefined) return;
    if (reader.take(',') === undefined) throw new BadSelector(unreadable);
  }
}
