import { timeOfBackup } from '../create/name-backup.ts';

export interface KeptBackups {
  days: number;
  weeks: number;
  months: number;
}

/**
 * Names that may go: those that are not the last one of one of the newest days, weeks and months that have any. Never the newest,
 * made at `newestAt`; names of later times, of a clock that was wrong or of whoever else writes there, do not count.
 */
export function listOutdated(names: readonly string[], newestAt: Date, kept: KeptBackups): string[] {
  const dated = names.flatMap((name) => {
    const at = timeOfBackup(name);
    return at && at <= newestAt ? [{ name, at }] : [];
  });
  dated.sort((one, other) => other.at.getTime() - one.at.getTime());
  const staying = new Set(dated.slice(0, 1).map(({ name }) => name));
  const periods: [number, (at: Date) => string][] = [
    [kept.days, toDay],
    [kept.weeks, (at) => toDay(mondayOf(at))],
    [kept.months, (at) => toDay(at).slice(0, 7)],
  ];
  for (const [count, periodOf] of periods) {
    const seen = new Set<string>();
    for (const { name, at } of dated) {
      const period = periodOf(at);
      if (seen.has(period)) continue;
      if (seen.size === count) break;
      seen.add(period);
      staying.add(name);
    }
  }
  return dated.map(({ name }) => name).filter((name) => !staying.has(name));
}

const toDay = (at: Date) => at.toISOString().slice(0, 10);
const mondayOf = (at: Date) => new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * 24 * 3_600_000);
