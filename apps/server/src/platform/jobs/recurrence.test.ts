import type pg from 'pg';
import { afterEach, expect, it, vi } from 'vitest';
import { createLog } from '../log.ts';
import { type Recurrence, startRecurrence } from './recurrence.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const noon = Date.UTC(2026, 6, 1, 12, 0, 30);
const nothing = async () => {};
const jobs = [
  { name: 'each-minute', schedule: '* * * * *', run: nothing },
  { name: 'each-hour', schedule: '42 * * * *', run: nothing },
  { name: 'each-night', schedule: '47 2 * * *', run: nothing },
  { name: 'never', schedule: '0 0 29 2 *', run: nothing },
];

let recurrence: Recurrence;
afterEach(() => recurrence.stop());

/** A server whose queue takes note of what is put there, with a clock of its own. */
async function start() {
  let time = noon;
  const query = vi.fn(async (_: string, [names]: [string[], Date[]]) => ({ rows: [], names }));
  const log = Object.assign(createLog('silent'), { warn: vi.fn() });
  recurrence = await startRecurrence({ query } as unknown as pg.Pool, { jobs, log, now: () => time });
  query.mockClear();
  return {
    query,
    log,
    async setTime(next: number) {
      time = next;
      query.mockClear();
      await recurrence.look();
      return query.mock.calls.flatMap(([, [names]]) => names);
    },
  };
}

it('a job is due in each minute that its pattern names, once', async () => {
  const { setTime } = await start();
  expect(await setTime(noon + 10_000)).toEqual([]);
  expect(await setTime(noon + minute)).toEqual(['each-minute']);
  expect(await setTime(noon + minute + 1)).toEqual([]);
  expect(await setTime(Date.UTC(2026, 6, 1, 12, 42))).toEqual(['each-minute', 'each-hour']);
});

it('a clock that is set forward by a day makes each job due once', async () => {
  const { setTime } = await start();
  expect((await setTime(noon + day)).sort()).toEqual(['each-hour', 'each-minute', 'each-night']);
  expect(await setTime(noon + day + minute)).toEqual(['each-minute']);
});

it('a clock that is set back by a day goes on at once', async () => {
  const { setTime } = await start();
  expect(await setTime(noon - day)).toEqual(['each-minute']);
  expect(await setTime(noon - day + minute)).toEqual(['each-minute']);
});

it('what became due while the database was away is put there once when it is back, and said once', async () => {
  const { setTime, query, log } = await start();
  query.mockRejectedValue(new Error('ECONNREFUSED'));
  for (let passed = 1; passed <= 60; passed += 1) await setTime(noon + passed * minute);
  expect(log.warn).toHaveBeenCalledOnce();
  query.mockResolvedValue({ rows: [], names: [] });
  expect((await setTime(noon + 60 * minute + 1_000)).sort()).toEqual(['each-hour', 'each-minute']);
  expect(await setTime(noon + 60 * minute + 2_000)).toEqual([]);
});
