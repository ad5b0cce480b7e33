import { useNavigate, useSearch } from '@tanstack/react-router';

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
export interface TimeSearch {
  range: RangeName;
  refresh: RefreshName;
}

const usual: TimeSearch = { range: '24h', refresh: '1m' };

/** Anything else that an address may hold falls back to the default. */
export function readTimeSearch(raw: Readonly<Record<string, unknown>>): TimeSearch {
  return {
    range: rangeNames.find((name) => name === raw.range) ?? usual.range,
    refresh: refreshNames.find((name) => name === raw.refresh) ?? usual.refresh,
  };
}

/** Undefined leaves the address: a plain page has a plain one. */
export function writeTimeSearch({
  range,
  refresh,
}: TimeSearch): Record<keyof TimeSearch, string | undefined> {
  return {
    range: range === usual.range ? undefined : range,
    refresh: refresh === usual.refresh ? undefined : refresh,
  };
}

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

/** The period of the page's charts and its change; what else the address says stays. */
export function useTimeSearch() {
  const raw: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const search = readTimeSearch(raw);
  const change = (changes: Partial<TimeSearch>) =>
    void navigate({
      to: '.',
      search: { ...raw, ...writeTimeSearch({ ...search, ...changes }) },
      resetScroll: false,
    });
  return { search, change };
}
