import type pg from 'pg';
import { listForeignKeys, listTriggered } from './catalog.ts';

/**
 * Keeps triggers and foreign keys from doing anything in a transaction: what they would do is in the rows that come. Answers what
 * wakes them at its end.
 */
export type Rest = (client: Pick<pg.Client, 'query'>) => Promise<() => Promise<void>>;

/** For a superuser, as of the embedded database. */
export const restByRole: Rest = async (client) => {
  await client.query('set local session_replication_role = replica');
  return async () => {};
};

/** For the owner of the tables, who may be no more than that: keys go, and are looked at by the database when they come back. */
export const restByOwner: Rest = async (client) => {
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
