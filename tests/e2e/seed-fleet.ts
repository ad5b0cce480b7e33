import { openDatabase } from '@pult/server/database';
import type { Installation } from './installation.ts';

/** An organization with controllers that no device stands behind: `L000001` and so on, offline but for those that never came. */
export interface SeededFleet extends AsyncDisposable {
  organizationId: string;
  /** The address of its list. */
  list: string;
}

interface Options {
  name: string;
  controllers: number;
  /** How many of them, the last ones, never came. */
  never?: number;
  /** Roots of the tree of groups, `Site 1` and so on; all controllers are in none. */
  groups?: number;
}

const idOf = (kind: string) =>
  `overlay(overlay(md5('${kind}' || $1 || n) placing '4' from 13) placing '8' from 17)::uuid`;

/** Written into the database: thousands of agents would take minutes. */
export async function seedFleet(
  { server, api }: Installation,
  { name, controllers, never = 0, groups = 0 }: Options,
): Promise<SeededFleet> {
  const { id: organizationId } = await api.call('createOrganization', { body: { name } });
  const { pool, close } = await openDatabase(server.dataDir);
  const prefix = organizationId.slice(-12);
  await pool.query(
    `insert into groups (id, organization_id, parent_id, name, created_at)
     select ${idOf('group')}, $2, null, 'Site ' || n, now() from generate_series(1, $3::int) n`,
    [prefix, organizationId, groups],
  );
  await pool.query(
    `with devices as (
       insert into enrolments (id, handle, serial_number, public_key, model, firmware_version, agent_version, created_at, last_seen_at)
       select ${idOf('enrolment')}, substr(decode(md5('handle' || $1 || n), 'hex'), 1, 8),
         'L' || lpad(n::text, 6, '0'), decode(md5('key' || $1 || n), 'hex'), 'Board 8', '', '1.0.0', now(), now()
       from generate_series(1, $3::int) n
       returning id, serial_number
     )
     insert into controllers (id, serial_number, organization_id, enrolment_id, description, model, firmware_version,
       agent_version, status, status_reason, status_since, last_seen_at, activated_at)
     select gen_random_uuid(), serial_number, $2, id, 'Boiler house, Lenin Street ' || serial_number, 'Board 8', 'fw-2507',
       '1.0.0', 'offline', 'link', now(), now(), now()
     from devices`,
    [prefix, organizationId, controllers],
  );
  await pool.query(
    `update controllers set status = 'never', last_seen_at = null
     where organization_id = $1 and serial_number > 'L' || lpad($2::text, 6, '0')`,
    [organizationId, controllers - never],
  );
  await pool.query('analyze controllers, enrolments, groups');
  return {
    organizationId,
    list: `${server.url}/organizations/${organizationId}/controllers`,
    async [Symbol.asyncDispose]() {
      await pool.query('delete from controllers where organization_id = $1', [organizationId]);
      await pool.query(`delete from enrolments where serial_number ~ '^L[0-9]{6}$'`);
      await api.call('deleteOrganization', { params: { organizationId } });
      await close();
    },
  };
}
