/** A number is a number to a spreadsheet; null is an empty cell. */
export type CsvCell = string | number | null;

/**
 * What a spreadsheet runs as a formula where a cell begins (OWASP, CSV injection). Where the system parts lists by
 * semicolons, as a Russian one does, cells begin after those too, and after line breaks, quoted or not.
 */
const formulaStart = /(^|[;\n])(["' ]*)(?=[=+\-@＝＋－＠])/g;

/** An apostrophe makes a text of what begins like a formula. */
function formatCell(cell: CsvCell): string {
  if (typeof cell === 'number') return String(cell);
  const text = cell ?? '';
  const safe = text.replace(formulaStart, "$1$2'").replace(/^[\t\r\n]/, "'$&");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A line of a file of comma-separated values, with its end; RFC 4180. */
export function formatCsvRow(cells: readonly CsvCell[]): string {
  return `${cells.map(formatCell).join(',')}\r\n`;
}
