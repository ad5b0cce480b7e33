import { ranges, type TimeWindow } from '../../shared/charts/time-search.ts';
import { defineSearch, type SearchOf } from '../../shared/search/define-search.ts';
import { integer, oneOf, text } from '../../shared/search/search-parts.ts';

/** Periods that end now; longer ones than those of the charts, as history is kept for years. */
const periods = {
  '1h': ranges['1h'],
  '24h': ranges['24h'],
  '7d': ranges['7d'],
  '30d': ranges['30d'],
  '1y': 365 * ranges['24h'],
} as const;
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

/** Whether a part of time is chosen, in place of the period that ends now. */
export const isChosen = ({ historyFrom: from, historyTo: to }: HistorySearch) => from > 0 && to > from;

/** What is shown while none of the period is chosen; at whole half minutes, so that looks in between ask for the same. */
export function readPeriod(search: HistorySearch): TimeWindow {
  if (isChosen(search)) return { start: search.historyFrom, stop: search.historyTo };
  const stop = Math.ceil(Date.now() / 30_000) * 30_000;
  return { start: stop - periods[search.historyPeriod], stop };
}
