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

const shape = /^\s*([a-zA-Z_:][\w:]*)?\s*(?:\{(.*)\})?\s*$/s;
const matcher = /\s*([a-zA-Z_]\w*)\s*(=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)"\s*(?:,|$)/sy;

/** Undefined for any text; otherwise the texts that match, as a choice of several in Grafana is written. */
function readAlternatives(pattern: string): string[] | undefined {
  if (pattern === '.*' || pattern === '.+') return undefined;
  const inner = /^\((.*)\)$/s.exec(pattern)?.[1] ?? pattern;
  return inner.split('|').map((alternative) => {
    const text = alternative.replace(/\\+([-.])/g, '$1');
    if (/[\\^$*+?()[\]{}]/.test(text))
      throw new BadSelector('only serial numbers with | between them can be matched');
    return text;
  });
}

/**
 * Reads a selector. No more of the language is understood: with PostgreSQL as the store nothing evaluates it. Throws
 * BadSelector.
 */
export function parseSelector(text: string): Selector {
  const [whole, metric, inner = ''] = shape.exec(text) ?? [];
  // PostgreSQL takes no text with a zero in it.
  if (whole === undefined || text.trim() === '' || text.includes('\0')) {
    throw new BadSelector('only a plain selector is understood, such as pult_cpu_usage{serial="ABC"}');
  }
  const selector: Selector = { metric, serials: undefined };
  matcher.lastIndex = 0;
  let position = 0;
  while (inner.slice(position).trim() !== '') {
    matcher.lastIndex = position;
    const match = matcher.exec(inner);
    if (!match) throw new BadSelector('the labels of the selector cannot be read');
    position = matcher.lastIndex;
    const [, label, operator, value = ''] = match;
    if (operator === '!=' || operator === '!~') throw new BadSelector(`${operator} is not understood`);
    const wanted = operator === '=' ? [value] : readAlternatives(value);
    if (label === '__name__' && wanted?.length === 1) selector.metric = wanted[0];
    else if (label === 'serial') selector.serials = wanted;
    else throw new BadSelector(`only the labels __name__ and serial can be asked for, not ${label}`);
  }
  return selector;
}
