import { Readable } from 'node:stream';

/** Without it Excel takes UTF-8 for the system's old code page. */
const byteOrderMark = '\ufeff';

/** A number is a number to a spreadsheet; null is an empty cell. */
export type CsvCell = string | number | null;

/**
 * What a spreadsheet runs as a formula where a cell begins (OWASP, CSV injection). Where the system parts lists by
 * semicolons, as a Russian one does, cells begin after those too, and after line breaks, quoted or not.
 */
const formulaStart = /(^|[;\n])(["' ]*)(?=[=+\-@＝＋－＠])/g;

/** RFC 4180. An apostrophe makes a text of what begins like a formula. */
function formatCell(cell: CsvCell): string {
  if (typeof cell === 'number') return String(cell);
  const text = cell ?? '';
  const safe = text.replace(formulaStart, "$1$2'").replace(/^[\t\r\n]/, "'$&");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function formatRow(cells: readonly CsvCell[]): string {
  return `${cells.map(formatCell).join(',')}\r\n`;
}

/** A CSV file that spreadsheets open as it is meant, read only as fast as somebody takes it. */
export function createCsv<T>(
  header: readonly string[],
  parts: AsyncIterable<readonly T[]>,
  toCells: (item: T) => readonly CsvCell[],
): Readable {
  async function* write() {
    yield byteOrderMark + formatRow(header);
    for await (const items of parts) {
      if (items.length > 0) yield items.map((item) => formatRow(toCells(item))).join('');
    }
  }
  return Readable.from(write(), { objectMode: false });
}

/** The headers of such a file as a download; `name` is of safe characters. */
export function csvHeaders(name: string): Record<string, string> {
  return {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}.csv"`,
  };
}
