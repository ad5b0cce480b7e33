import { Readable } from 'node:stream';

/** Without it Excel takes UTF-8 for the system's old code page. */
const byteOrderMark = '\ufeff';

/** A number is a number to a spreadsheet; null is an empty cell. */
export type CsvCell = string | number | null;

/** RFC 4180. A spreadsheet runs a cell that begins like a formula (OWASP, CSV injection): an apostrophe makes it text. */
function formatCell(cell: CsvCell): string {
  if (typeof cell === 'number') return String(cell);
  const text = cell ?? '';
  const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
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
