import type { Locale } from './locale.ts';

/** A number is a number to a spreadsheet, and a time a time; null is an empty cell. */
export type CsvCell = string | number | Date | null;

/**
 * What a spreadsheet runs as a formula where a cell begins (OWASP, CSV injection), by the separator of the file. Where the system parts
 * lists by the other one, cells begin after that too, and after line breaks, quoted or not.
 */
const formulaStarts = {
  ',': /(^|[;\r\n])(["' ]*)(?=\t*[=+\-@＝＋－＠])/g,
  // Commas stand unquoted between these.
  ';': /(^|[;,\r\n])(["' ]*)(?=\t*[=+\-@＝＋－＠])/g,
};

/** How the cells of a file are written. */
export interface CsvStyle {
  separator: ',' | ';';
  decimalSign: '.' | ',';
  formatTime(time: Date): string;
}

/** For programs: RFC 4180, times as RFC 3339 in UTC. */
export const plainCsv: CsvStyle = {
  separator: ',',
  decimalSign: '.',
  formatTime: (time) => time.toISOString(),
};

/** As a spreadsheet of that language reads columns, numbers and times from a file; times by the clock of a zone. */
export function createSpreadsheetCsv(locale: Locale, timeZone: string): CsvStyle {
  // Sweden writes as ISO 8601 does, with a space between: 2026-11-27 01:38:18.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  if (locale !== 'ru') return { ...plainCsv, formatTime: (time) => format.format(time) };
  return {
    separator: ';',
    decimalSign: ',',
    formatTime: (time) => {
      const [day = '', clock = ''] = format.format(time).split(' ');
      return `${day.split('-').reverse().join('.')} ${clock}`;
    },
  };
}

/** Whether that names a time zone, of the IANA or by its offset. */
export function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** An apostrophe makes a text of what begins like a formula. */
function formatCell(cell: CsvCell, { separator, decimalSign, formatTime }: CsvStyle): string {
  if (typeof cell === 'number') return String(cell).replace('.', decimalSign);
  const text = cell instanceof Date ? formatTime(cell) : (cell ?? '');
  const safe = text.replace(formulaStarts[separator], "$1$2'").replace(/^[\t\r\n]/, "'$&");
  return /["\r\n]/.test(safe) || safe.includes(separator) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A line of a file of separated values, with its end. */
export function formatCsvRow(cells: readonly CsvCell[], style: CsvStyle = plainCsv): string {
  return `${cells.map((cell) => formatCell(cell, style)).join(style.separator)}\r\n`;
}
