import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { createQueuePool } from './queue-pool.ts';

/** A pool that gives one client, or fails. */
function poolOf(client: { query: () => Promise<unknown>; release?: () => void } | Error) {
  const pool = new pg.Pool();
  const given = client instanceof Error ? client : { release: () => {}, ...client };
  vi.spyOn(pool, 'connect').mockImplementation(() =>
    given instanceof Error ? Promise.reject(given) : Promise.resolve(given),
  );
  return createQueuePool(pool);
}

it('gives an outage the code that the queue’s library tries again for', async () => {
  const outage = poolOf(new Error('timeout exceeded when trying to connect'));
  await expect(outage.pool.connect()).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  const cut = Object.assign(new Error('terminating connection'), { code: '57P01' });
  const client = await poolOf({ query: () => Promise.reject(cut) }).pool.connect();
  await expect(client.query('select 1')).rejects.toMatchObject({ code: 'ETIMEDOUT' });
});

it('leaves other errors as they are', async () => {
  const wrong = Object.assign(new Error('no such table'), { code: '42P01' });
  const client = await poolOf({ query: () => Promise.reject(wrong) }).pool.connect();
  await expect(client.query('select 1')).rejects.toMatchObject({ code: '42P01' });
});

it('closes when what was being written is written, and writes nothing more', async () => {
  const { pool, close } = poolOf({ query: async () => ({}) });
  const client = await pool.connect();
  let isClosed = false;
  const closing = close().then(() => {
    isClosed = true;
  });
  await client.query('select 1');
  expect(isClosed).toBe(false);
  client.release();
  await closing;
  const late = vi.fn();
  void pool.connect().then(late, late);
  await new Promise(setImmediate);
  expect(late).not.toHaveBeenCalled();
});
