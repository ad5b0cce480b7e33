import { Readable } from 'node:stream';
import { type CsvCell, formatCsvRow } from '@pult/contract';

/** Without it Excel takes UTF-8 for the system's old code page. */
const byteOrderMark = '\ufeff';

/** A CSV file that spreadsheets open as it is meant, read only as fast as somebody takes it. */
export function createCsv<T>(
  header: readonly string[],
  parts: AsyncIterable<readonly T[]>,
  toCells: (item: T) => readonly CsvCell[],
): Readable {
  async function* write() {
    yield byteOrderMark + formatCsvRow(header);
    for await (const items of parts) {
      if (items.length > 0) yield items.map((item) => formatCsvRow(toCells(item))).join('');
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
