import { parseCronItems } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from '../log.ts';

const minuteMs = 60_000;
/** Minutes that are made up for after a pause or a jump of the clock: each job of a day is due once in them. */
const mostMinutes = 25 * 60;

/** As patterns of a crontab name it, in UTC. */
function readTime(minute: number) {
  const at = new Date(minute * minuteMs);
  return {
    min: at.getUTCMinutes(),
    hour: at.getUTCHours(),
    date: at.getUTCDate(),
    month: at.getUTCMonth() + 1,
    dow: at.getUTCDay(),
  };
}

interface Options {
  /** Crontab patterns, in UTC. */
  jobs: readonly { name: string; schedule: string }[];
  log: Logger;
  /** The clock of the machine, for tests. */
  now?: () => number;
}

export interface Recurrence {
  /** Puts what has become due into the queue. Called each second; never rejects. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Puts recurring jobs into the queue when they are due, each time by one of the servers. In place of the queue's own crontab
 * (graphile-worker 0.17.3), which does all minutes of a day at once when the clock is set forward by one, nothing for a day when
 * it is set back, and forgets what became due while the database was away.
 */
export async function startRecurrence(
  pool: Pick<pg.Pool, 'query'>,
  { jobs, log, now = Date.now }: Options,
): Promise<Recurrence> {
  const items = parseCronItems(jobs.map(({ name, schedule }) => ({ task: name, match: schedule })));
  const minuteOfNow = () => Math.floor(now() / minuteMs);
  /** When each was due last, of those that are not in the queue yet. */
  const due = new Map<string, Date>();
  let last = minuteOfNow();
  let looking: Promise<void> | undefined;
  let isFailing = false;

  await pool.query(
    `insert into graphile_worker._private_known_crontabs (identifier, known_since)
     select name, now() from unnest($1::text[]) as jobs (name) on conflict do nothing`,
    [jobs.map(({ name }) => name)],
  );

  function noteDue(): void {
    const minute = minuteOfNow();
    if (minute === last) return;
    // A clock that was set back begins anew where it is.
    const first = minute > last ? Math.max(last + 1, minute - mostMinutes) : minute;
    for (let each = first; each <= minute; each += 1) {
      const time = readTime(each);
      for (const { task, match } of items) if (match(time)) due.set(task, new Date(each * minuteMs));
    }
    last = minute;
  }

  async function enqueue(): Promise<void> {
    noteDue();
    if (due.size === 0) return;
    const taken = [...due];
    try {
      // Of several servers the first takes a time.
      await pool.query(
        `with taken as (
           insert into graphile_worker._private_known_crontabs as known (identifier, known_since, last_execution)
           select name, now(), at from unnest($1::text[], $2::timestamptz[]) as due (name, at)
           on conflict (identifier) do update set last_execution = excluded.last_execution
           where known.last_execution is distinct from excluded.last_execution
           returning identifier
         )
         select graphile_worker.add_job(identifier) from taken`,
        [taken.map(([name]) => name), taken.map(([, at]) => at)],
      );
      for (const [name, at] of taken) if (due.get(name) === at) due.delete(name);
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'recurring jobs wait for the database');
      isFailing = true;
    }
  }

  const look = () => {
    looking ??= enqueue().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  const timer = setInterval(() => void look(), 1_000).unref();
  return {
    look,
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}
