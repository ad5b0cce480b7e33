import { defineSearch, type SearchOf } from '../../shared/search/define-search.ts';
import { integer, oneOf, text } from '../../shared/search/search-parts.ts';

const hour = 3600_000;
const day = 24 * hour;

/** Periods that end now, by what the address calls them; in milliseconds. */
export const periods = { '1h': hour, '24h': day, '7d': 7 * day, '30d': 30 * day, '1y': 365 * day } as const;
export const periodNames = [
  '1h',
  '24h',
  '7d',
  '30d',
  '1y',
] as const satisfies readonly (keyof typeof periods)[];

/** Milliseconds of a time far away. */
const latest = 9e12;

/** Which control's history is open, and which time of it; it lives in the address, so that a link opens the same. */
export const historySearch = defineSearch({
  /** `device/control`: neither has a slash, as both are of a topic. Empty: none. */
  history: text(),
  historyPeriod: oneOf(periodNames, '24h'),
  /** What somebody has drawn the pointer over, in milliseconds; 0: the period that ends now. */
  historyFrom: integer(0, latest),
  historyTo: integer(0, latest),
});
export type HistorySearch = SearchOf<typeof historySearch>;

/** What is shown while none of the period is chosen; at whole half minutes, so that looks in between ask for the same. */
export function readPeriod({ historyPeriod: period, historyFrom: from, historyTo: to }: HistorySearch): {
  start: number;
  stop: number;
} {
  if (from > 0 && to > from) return { start: from, stop: to };
  const stop = Math.ceil(Date.now() / 30_000) * 30_000;
  return { start: stop - periods[period], stop };
}
