import type { Log } from '../log.ts';
import type { Table } from './catalog.ts';

const tellEveryMs = 5_000;

/** Tells the log now and then how much is copied. What comes of a table counts up to its size: as text it may be longer. */
export function createMoveProgress(sizes: ReadonlyMap<string, number>, log: Pick<Log, 'info'>) {
  const total = Math.max(
    1,
    [...sizes.values()].reduce((sum, size) => sum + size, 0),
  );
  const done = new Map<string, number>();
  let current = '';
  const timer = setInterval(() => {
    const sum = [...done.values()].reduce((all, bytes) => all + bytes, 0);
    log.info({ percent: Math.floor((100 * sum) / total), table: current }, 'moving the database');
  }, tellEveryMs).unref();
  return {
    note({ schema, name }: Table, bytes: number): void {
      const table = `${schema}.${name}`;
      if (table !== current) done.set(current, sizes.get(current) ?? 0);
      current = table;
      done.set(table, Math.min(bytes, sizes.get(table) ?? 0));
    },
    end: () => clearInterval(timer),
  };
}
