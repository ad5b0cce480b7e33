import { type Kysely, sql } from 'kysely';

/** Up to when the silence of an agent is counted: nodes take turns at it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table agent_updates add column tended_at timestamptz`.execute(db);
}
