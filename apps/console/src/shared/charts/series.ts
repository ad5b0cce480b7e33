/** What was measured, by time in milliseconds; each list of values is of one line. */
export interface Series {
  times: readonly number[];
  values: readonly (readonly (number | null)[])[];
  /** What is still no gap, where that does not follow from the times. */
  longestGapMs?: number;
}

/** Fewer than this is late, not lost. */
const shortestGapMs = 3 * 60_000;

/**
 * Where nothing was measured for clearly longer than usual, the lines end: a hole is put in. Without one a line would
 * claim what nobody has seen.
 */
export function withGaps({ times, values, longestGapMs }: Series): Series {
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const usual = steps.toSorted((a, b) => a - b)[Math.floor((steps.length - 1) / 2)] ?? 0;
  const longest = longestGapMs ?? Math.max(shortestGapMs, usual * 2.5);
  const gapped = { times: [] as number[], values: values.map((): (number | null)[] => []) };
  const push = (time: number, read: (line: readonly (number | null)[]) => number | null) => {
    gapped.times.push(time);
    gapped.values.forEach((line, index) => void line.push(read(values[index] ?? [])));
  };
  times.forEach((time, index) => {
    const before = times[index - 1];
    if (before !== undefined && time - before > longest) push(before + longest / 2, () => null);
    push(time, (line) => line[index] ?? null);
  });
  return gapped;
}

export interface LineSummary {
  last: number;
  lowest: number;
  highest: number;
}

/** What a line comes to, for those who do not see it; undefined of an empty one. */
export function summarizeLine(values: readonly (number | null)[]): LineSummary | undefined {
  const known = values.filter((value) => value !== null);
  const last = known.at(-1);
  if (last === undefined) return undefined;
  return {
    last,
    lowest: known.reduce((a, b) => Math.min(a, b)),
    highest: known.reduce((a, b) => Math.max(a, b)),
  };
}

/** Points of a line that no line reaches: neither neighbour has a value. */
export function findLonePoints(values: ArrayLike<number | null | undefined>): number[] {
  const isKnown = (index: number) => values[index] !== null && values[index] !== undefined;
  return Array.from({ length: values.length }, (_, index) => index).filter(
    (index) => isKnown(index) && !isKnown(index - 1) && !isKnown(index + 1),
  );
}
