import { sql } from 'kysely';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';

/** The id of a controller, and the group that it was in. */
export type Place = [id: string, groupId: string | null];

/** Controllers that one statement moves: a hundred thousand in one could take longer than a statement may. */
export const partSize = 5000;

/**
 * Puts those controllers back that are still where a change put them (`to`; null: in no group), into groups that still are.
 * How many these are. Rows are locked by their ids in order, as by every other change of many.
 */
export async function returnControllers(
  transaction: DatabaseTransaction,
  organizationId: string,
  { to, from }: { to: string | null; from: readonly Place[] },
): Promise<number> {
  const groupOf = new Map(from);
  const { rows } = await sql<{ id: string }>`
    select id from controllers
    where organization_id = ${organizationId} and group_id is not distinct from ${to}
      and id = any(${[...groupOf.keys()]}::uuid[])
    order by id for no key update`.execute(transaction);
  let count = 0;
  for (let start = 0; start < rows.length; start += partSize) {
    const ids = rows.slice(start, start + partSize).map(({ id }) => id);
    const groupIds = ids.map((id) => groupOf.get(id) ?? null);
    const { numAffectedRows = 0n } = await sql`update controllers set group_id = back.group_id
      from unnest(${ids}::uuid[], ${groupIds}::uuid[]) as back (id, group_id)
      where controllers.id = back.id and (back.group_id is null or exists (
        select from groups where groups.id = back.group_id and groups.organization_id = ${organizationId}))`.execute(
      transaction,
    );
    count += Number(numAffectedRows);
  }
  return count;
}
