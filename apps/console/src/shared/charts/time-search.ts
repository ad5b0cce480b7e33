import { defineSearch, type SearchOf } from '../search/define-search.ts';
import { oneOf } from '../search/search-parts.ts';

/** Periods that end now, by what the address calls them; in milliseconds. */
export const ranges = {
  '1h': 3600_000,
  '6h': 6 * 3600_000,
  '24h': 24 * 3600_000,
  '7d': 7 * 24 * 3600_000,
  '30d': 30 * 24 * 3600_000,
} as const;
export type RangeName = keyof typeof ranges;
export const rangeNames = ['1h', '6h', '24h', '7d', '30d'] as const satisfies readonly RangeName[];

/** How often the charts go on by themselves; in milliseconds. */
export const refreshes = { off: undefined, '1m': 60_000, '5m': 300_000 } as const;
export type RefreshName = keyof typeof refreshes;
export const refreshNames = ['off', '1m', '5m'] as const satisfies readonly RefreshName[];

/** What the charts of a page show; it lives in the address. */
export const timeSearch = defineSearch({
  range: oneOf(rangeNames, '24h'),
  refresh: oneOf(refreshNames, '1m'),
});
export type TimeSearch = SearchOf<typeof timeSearch>;

/** What a chart shows, in milliseconds. */
export interface TimeWindow {
  start: number;
  stop: number;
}

const stepMs = 10_000;

/** The period that ends now. At a whole step, so that charts asked for together show the very same. */
export function readWindow(range: RangeName): TimeWindow {
  const stop = Math.ceil(Date.now() / stepMs) * stepMs;
  return { start: stop - ranges[range], stop };
}
