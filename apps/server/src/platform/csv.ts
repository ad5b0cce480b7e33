import { Readable } from 'node:stream';
import { type CsvCell, createSpreadsheetCsv, formatCsvRow, type Locale, plainCsv } from '@pult/contract';

/** Without it Excel takes UTF-8 for the system's old code page. */
const byteOrderMark = '\ufeff';

/** For whom a file is: with the time zone of a reader it is for their spreadsheet, without one for programs. */
export interface CsvReader {
  locale: Locale;
  timeZone: string | undefined;
}

/** A CSV file that spreadsheets open as it is meant, read only as fast as somebody takes it. Heads with `UTC` name the zone. */
export function createCsv<T>(
  header: readonly string[],
  parts: AsyncIterable<readonly T[]>,
  toCells: (item: T) => readonly CsvCell[],
  { locale, timeZone }: CsvReader = { locale: 'en', timeZone: undefined },
): Readable {
  const style = timeZone === undefined ? plainCsv : createSpreadsheetCsv(locale, timeZone);
  const heads = header.map((head) => head.replace('UTC', timeZone ?? 'UTC'));
  async function* write() {
    yield byteOrderMark + formatCsvRow(heads, style);
    for await (const items of parts) {
      if (items.length > 0) yield items.map((item) => formatCsvRow(toCells(item), style)).join('');
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
