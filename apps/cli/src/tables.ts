import { formatCsvRow } from '@pult/contract';
import { CliError } from './cli-error.ts';
import { toPlain } from './plain-text.ts';

export type Row = Readonly<Record<string, string>>;
const formats = ['table', 'json', 'csv'] as const;
type Format = (typeof formats)[number];

export function readFormat(value: string | undefined, isJson: boolean): Format {
  const format = formats.find((each) => each === (value ?? (isJson ? 'json' : 'table')));
  if (!format) throw new CliError('usage', `-o takes ${formats.join(', ')}.`);
  return format;
}

export function formatTable(columns: readonly string[], rows: readonly Row[]): string {
  const lines = [
    columns.map((column) => column.toUpperCase()),
    ...rows.map((row) => columns.map((column) => toPlain(row[column] ?? '') || '-')),
  ];
  const widths = columns.map((_, place) => Math.max(...lines.map((line) => [...(line[place] ?? '')].length)));
  const pad = (cell: string, place: number) => {
    const isLast = place === columns.length - 1;
    return isLast ? cell : cell + ' '.repeat((widths[place] ?? 0) - [...cell].length);
  };
  return `${lines.map((line) => line.map(pad).join('  ')).join('\n')}\n`;
}

/** Without what steers a terminal, where it may be shown too. */
export function formatCsv(columns: readonly string[], rows: readonly Row[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => toPlain(row[column] ?? '')))];
  return lines.map((line) => formatCsvRow(line)).join('');
}
