import { Cron } from 'croner';

/** Times of a crontab pattern in the time zone of the server. */
export function createSchedule(pattern: string) {
  const cron = new Cron(pattern, { paused: true });
  const before = (at: Date) => cron.previousRuns(1, at)[0];
  return {
    /** The last time that has come. */
    getDue: (now: Date): Date | undefined => before(new Date(now.getTime() + 1)),
    getNext: (now: Date): Date | undefined => cron.nextRun(now) ?? undefined,
    /** Milliseconds between the last time and the next one. */
    getInterval(now: Date): number {
      const [last, next] = [before(new Date(now.getTime() + 1)), cron.nextRun(now)];
      return last && next ? next.getTime() - last.getTime() : Number.POSITIVE_INFINITY;
    },
  };
}
