import { type IdleFigures, type Loaded, type LoadFigures, type Survival, summarize } from './measure.ts';
import type { PageTimes } from './page.ts';

export const loadHead = [
  '',
  'key, download',
  'kbit/s',
  'requests',
  'failed',
  'key, upload',
  'kbit/s',
  'requests',
  'failed',
];
export const mixHead = ['', 'key', 'kbit/s', 'requests', 'failed'];
export const pageHead = ['', 'first person', '× direct', 'second person', '× direct'];
export const faultHead = ['', 'terminal', 'download', 'upload', 'new request'];

function formatSeconds(value: number): string {
  if (!Number.isFinite(value)) return 'never';
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function formatTimes(milliseconds: readonly number[]): string {
  if (milliseconds.length === 0) return '';
  const { p50, p95 } = summarize(milliseconds);
  return `${formatSeconds(p50)} / ${formatSeconds(p95)}`;
}

/** A row of times in seconds, p50 / p95. */
export function formatLoad(name: string, { download, upload }: LoadFigures): string[] {
  const cells = [download, upload].flatMap((loaded) => [
    formatTimes(loaded.keys),
    formatRates(loaded),
    formatTimes(loaded.requests),
    formatFailed(loaded),
  ]);
  return [name, ...cells];
}

const formatRates = ({ kilobits, failures }: Loaded) =>
  kilobits.map((rate) => rate.toFixed(0)).join(' ') + (failures.length > 0 ? ', cut' : '');

const formatFailed = ({ requests }: Loaded) =>
  `${requests.filter((time) => !Number.isFinite(time)).length} of ${requests.length}`;

/** The same of several transfers at once. */
export function formatMix(name: string, loaded: Loaded): string[] {
  return [
    name,
    formatTimes(loaded.keys),
    formatRates(loaded),
    formatTimes(loaded.requests),
    formatFailed(loaded),
  ];
}

/** A row of times in seconds. */
export function formatPage(name: string, times: PageTimes, direct: PageTimes | undefined): string[] {
  const cells = (['first', 'second'] as const).flatMap((person) => [
    formatSeconds(times[person] / 1000),
    direct === undefined ? '' : (times[person] / direct[person]).toFixed(2),
  ]);
  return [name, ...cells];
}

export function formatFault(name: string, survival: Survival): string[] {
  const cell = (seconds: number | undefined) =>
    seconds === undefined ? 'lost' : `after ${seconds.toFixed(0)} s`;
  const { terminal, download, upload, request } = survival;
  return [name, ...[terminal, download, upload, request].map(cell)];
}

/** In round trips, from the first packet to the link. */
export function formatStart(
  roundTripMs: number,
  firstMs: number,
  startsMs: readonly number[],
  { noticedMs, linkedMs }: { noticedMs: number; linkedMs: number },
): string[] {
  const trips = (milliseconds: number) => (milliseconds / roundTripMs).toFixed(1);
  return [
    `start: linked after ${trips(firstMs)} round trips the first time, ${startsMs.map(trips).join(', ')} later`,
    `another address: dialled anew after ${(noticedMs / 1000).toFixed(1)} s, linked ${trips(linkedMs)} round trips later`,
  ];
}

/** Bytes a month. */
export const formatIdle = (what: string, { seconds, bytesAMonth }: IdleFigures) =>
  `idle, ${what}: ${(bytesAMonth / 1e6).toFixed(1)} MB a month by ${seconds} s, both ways`;
