/** The value below which `share` of the values lie; 0.5 is the median. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new RangeError('no values');
  return value;
}

export const median = (values: readonly number[]) => percentile(values, 0.5);

/** Rows with their first column left and the others right, two spaces between. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (all, row) => row.map((cell, column) => Math.max(cell.length, all[column] ?? 0)),
    [],
  );
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => `  ${row.map(pad).join('  ').trimEnd()}`).join('\n');
}

export const print = (text: string) => void process.stdout.write(`${text}\n`);

/** Whether a target was reached: a missed one is marked, and fails nothing. */
export const verdict = (isMet: boolean) => (isMet ? 'met' : 'MISSED');
