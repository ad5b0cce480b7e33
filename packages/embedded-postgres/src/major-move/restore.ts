import type pg from 'pg';
import { listForeignKeys, listTriggered } from './catalog.ts';

/**
 * Suspends triggers and foreign keys in a transaction: what they would do is in the rows that come. Returns what restores them at
 * its end.
 */
export type Suspend = (client: Pick<pg.Client, 'query'>) => Promise<() => Promise<void>>;

/** For a superuser, as of the embedded database. */
export const suspendByRole: Suspend = async (client) => {
  await client.query('set local session_replication_role = replica');
  return async () => {};
};

/** For the owner of the tables, who may be no more than that: keys go, and are looked at by the database when they come back. */
export const suspendByOwner: Suspend = async (client) => {
  const keys = await listForeignKeys(client);
  const triggered = await listTriggered(client);
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  for (const table of triggered) await client.query(`alter table ${table} disable trigger user`);
  return async () => {
    for (const table of triggered) await client.query(`alter table ${table} enable trigger user`);
    for (const { table, name, definition } of keys) {
      await client.query(`alter table ${table} add constraint ${name} ${definition}`);
    }
  };
};
