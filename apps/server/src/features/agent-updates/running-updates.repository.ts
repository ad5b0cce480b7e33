import type { AgentUpdateFailure } from '@pult/contract';
import { sql } from 'kysely';
import type { Node } from '../../platform/cluster/index.ts';
import type { Database } from '../../platform/db/schema.ts';
import { enrolmentOfController } from '../devices/index.ts';

/** An update under way, with whose it is. */
export interface RunningUpdate {
  id: string;
  controllerId: string;
  organizationId: string;
  enrolmentId: string;
  serialNumber: string;
  toVersion: string;
  mayDowngrade: boolean;
  /** Null while its agent has not stored it. */
  sentAt: Date | null;
}

/** How an update ends. `detail`: a device's own words. */
export type UpdateEnd =
  | { status: 'done' }
  | { status: 'returned'; detail: string | null }
  | { status: 'failed'; reason: AgentUpdateFailure; detail?: string | null };

/** An update that was given up may still be told of by its device: it was away for longer than it was waited for. */
const isOpen = sql<boolean>`(agent_updates.status in ('waiting', 'running')
  or (agent_updates.status = 'failed' and agent_updates.reason = 'silent'))`;

/** SQL of the server's own work on updates, for whichever organization: no one's word is taken here. */
export function createRunningUpdatesRepository(db: Database, node: Pick<Node, 'id' | 'isDeadNode'>) {
  const updates = () =>
    db
      .selectFrom('agent_updates')
      .innerJoin('controllers', 'controllers.id', 'agent_updates.controller_id')
      .select([
        'agent_updates.id',
        'controllers.id as controllerId',
        'controllers.organization_id as organizationId',
        enrolmentOfController.as('enrolmentId'),
        'controllers.serial_number as serialNumber',
        'agent_updates.to_version as toVersion',
        'agent_updates.may_downgrade as mayDowngrade',
        'agent_updates.sent_at as sentAt',
      ]);

  return {
    /** Of these devices, oldest first. */
    listOpen: (enrolmentIds: readonly string[]): Promise<RunningUpdate[]> =>
      updates()
        .where(isOpen)
        .where('controllers.enrolment_id', '=', sql<string>`any(${[...enrolmentIds]}::uuid[])`)
        .orderBy('agent_updates.id')
        .execute(),

    /** Those whose agents have stored them, and have not said how it went. */
    listTried: (): Promise<RunningUpdate[]> =>
      updates()
        .where('agent_updates.status', '=', 'running')
        .where('agent_updates.sent_at', 'is not', null)
        .execute(),

    /** The devices of all that are under way. */
    async listAwaited(): Promise<string[]> {
      const rows = await updates().where('agent_updates.status', 'in', ['waiting', 'running']).execute();
      return rows.map((row) => row.enrolmentId);
    },

    /** Takes one that waits, for the version that is there now; false when it waits no more. */
    async claim(id: string, toVersion: string): Promise<boolean> {
      const row = await db
        .updateTable('agent_updates')
        .set({ status: 'running', to_version: toVersion, node_id: node.id })
        .where('id', '=', id)
        .where('status', '=', 'waiting')
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Its link was cut before its agent had it. */
    async release(id: string): Promise<void> {
      await db
        .updateTable('agent_updates')
        .set({ status: 'waiting' })
        .where('id', '=', id)
        .where('status', '=', 'running')
        .where('sent_at', 'is', null)
        .execute();
    },

    async markSent(id: string, now: Date): Promise<void> {
      await db
        .updateTable('agent_updates')
        .set({ sent_at: now, tended_at: sql`now()` })
        .where('id', '=', id)
        .where('status', '=', 'running')
        .execute();
    },

    /** False when it had ended before. */
    async finish(id: string, end: UpdateEnd, now: Date): Promise<boolean> {
      const row = await db
        .updateTable('agent_updates')
        .set({
          status: end.status,
          reason: end.status === 'failed' ? end.reason : null,
          detail: 'detail' in end ? end.detail : null,
          finished_at: now,
        })
        .where('id', '=', id)
        .where(isOpen)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /**
     * Tends all that are tried, of which `silent` are not heard now; answers those of them of which nothing was heard for too long. By the
     * database's clock, since any node may be the next that tends. A longer pause than `mostSeconds` counts as that: none was there to hear them.
     */
    async addSilence(
      silent: readonly string[],
      { mostSeconds, limitSeconds }: { mostSeconds: number; limitSeconds: number },
    ): Promise<string[]> {
      const isSilent = sql`id = any(${[...silent]}::uuid[])`;
      const passed = sql`coalesce(extract(epoch from now() - tended_at), 0)`;
      const { rows } = await sql<{ id: string }>`
        with tended as (
          update agent_updates set tended_at = now(), silent_seconds = silent_seconds
            + case when ${isSilent} then greatest(0, least(${passed}, ${mostSeconds})) else 0 end
          where status = 'running' and sent_at is not null
          returning id, silent_seconds
        )
        select id from tended where ${isSilent} and silent_seconds >= ${limitSeconds}`.execute(db);
      return rows.map(({ id }) => id);
    },

    /** Those that wait since before. */
    listExpired: (before: Date): Promise<RunningUpdate[]> =>
      updates()
        .where('agent_updates.status', '=', 'waiting')
        .where('agent_updates.created_at', '<=', before)
        .execute(),

    /** Those that a node was sending which is gone. */
    async releaseLeft(): Promise<void> {
      await db
        .updateTable('agent_updates')
        .set({ status: 'waiting' })
        .where('status', '=', 'running')
        .where('sent_at', 'is', null)
        .where(node.isDeadNode('node_id'))
        .execute();
    },
  };
}
export type RunningUpdatesRepository = ReturnType<typeof createRunningUpdatesRepository>;
