import { hourOf, resolutions, spanOf } from './resolutions.ts';

/** Of each resolution, the span from which on it has not been made; undefined where none has. */
export type NextSpans = readonly (number | undefined)[];

export interface ReadingPlan {
  /** Spans by the place of their resolution; the last one is not included. */
  chunks: { place: number; first: number; last: number }[];
  /** Hours that may be in no day yet. */
  hours: { first: number; last: number };
}

/** Where everything of a period stands: in the resolution at `place` what has been rolled, the rest in finer ones. Nothing stands twice. */
export function planReading(
  { start, stop }: { start: number; stop: number },
  place: number,
  nextSpans: NextSpans,
): ReadingPlan {
  const chunks: ReadingPlan['chunks'] = [];
  let from = start;
  for (let at = place; at >= 0; at -= 1) {
    const resolution = resolutions[at];
    if (!resolution) continue;
    const end = spanOf(stop - 1, resolution) + 1;
    const next = at === 0 ? end : (nextSpans[at] ?? Number.NEGATIVE_INFINITY);
    const [first, last] = [spanOf(from, resolution), Math.min(end, next)];
    if (first < last) chunks.push({ place: at, first, last });
    if (at > 0) from = Math.max(from, next * resolution.span);
  }
  return { chunks, hours: { first: hourOf(from), last: from < stop ? hourOf(stop - 1) + 1 : hourOf(from) } };
}
