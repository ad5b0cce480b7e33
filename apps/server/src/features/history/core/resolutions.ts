const second = 1000;
const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Of times, in milliseconds: tenths of a second are what devices tell. */
export const tick = 100;

/** How finely values are kept, how much of a series stands together, and for how long. */
export interface Resolution {
  /** Of a bucket, in milliseconds. */
  readonly length: number;
  /** Of what is stored in one piece: whole spans of the finer resolution. */
  readonly span: number;
  readonly keep: number;
}

/** Finest first. A series is a row a day for a month, a row a week for a year, and five rows a year after that. */
export const resolutions = [
  { length: 2 * minute, span: day, keep: 30 * day },
  { length: 30 * minute, span: 7 * day, keep: 366 * day },
  { length: day, span: 84 * day, keep: 5 * 366 * day },
] as const satisfies readonly Resolution[];
export const [finest] = resolutions;

/** The span in which a time is, counted since 1970. */
export const spanOf = (at: number, { span }: Pick<Resolution, 'span'>) => Math.floor(at / span);
export const hourOf = (at: number) => Math.floor(at / hour);

/**
 * From where on a resolution is kept. Of a span of the next one all is there or nothing: what comes late for it can be rolled with what
 * was there before.
 */
export function keptSince(place: number, now: number): number {
  const { keep = 0, span = day } = resolutions[place] ?? {};
  const whole = resolutions[place + 1]?.span ?? span;
  return Math.floor((now - keep) / whole) * whole;
}

/** Lengths of parts that people read off an axis: by the resolution of which they are made. */
const lengths = [
  [2, 4, 6, 10, 20].map((count) => count * minute),
  [30, 60, 120, 180, 360, 720].map((count) => count * minute),
  [1, 2, 4, 7, 14, 28].map((count) => count * day),
] as const;

/**
 * The shortest part of which so many cover the period that an answer holds them, and the place of the resolution it is made of, which
 * is kept as far back as the period goes.
 */
export function chooseLength(
  { start, stop }: { start: number; stop: number },
  { now, most }: { now: number; most: number },
): { length: number; place: number } {
  const period = stop - start;
  for (const [place, each] of lengths.entries()) {
    const isLast = place === lengths.length - 1;
    if (!isLast && start < keptSince(place, now)) continue;
    // One part more than fits may be touched at the ends.
    const length = each.find((candidate) => period / candidate <= most - 1);
    if (length !== undefined) return { length, place };
  }
  return { length: Math.ceil(period / (most - 1) / day) * day, place: lengths.length - 1 };
}
