import { type ControllerTraffic, type TrafficKind, trafficKinds } from '@pult/contract';
import { sql } from 'kysely';
import { type Scope, visibleControllers } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/schema.ts';
import type { Traffic } from '../devices/index.ts';

type TrafficDay = ControllerTraffic['days'][number];

/** `2026-11-22`, in UTC. */
function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** The first day of its month. */
function monthOf(at: Date): string {
  return `${at.toISOString().slice(0, 7)}-01`;
}

const kinds = sql.raw(trafficKinds.join(', '));
const sumOfKinds = sql.raw(trafficKinds.join(' + '));
const setKinds = sql.raw(trafficKinds.map((kind) => `${kind} = days.${kind} + excluded.${kind}`).join(', '));

/** SQL of bytes by day and by month. */
export function createTrafficRepository(db: Database) {
  return {
    /** Of all organizations, by enrolment, in one statement; what no controller is claimed for is left out. */
    async add(traffic: ReadonlyMap<string, Traffic>, at: Date): Promise<void> {
      const moved = [...traffic].filter(([, each]) => trafficKinds.some((kind) => each[kind] > 0));
      if (moved.length === 0) return;
      const column = (kind: TrafficKind) => sql`${moved.map(([, each]) => each[kind])}::bigint[]`;
      await sql`
        with moved as (
          select controllers.id, controllers.organization_id, ${kinds}
          from unnest(${moved.map(([id]) => id)}::uuid[], ${sql.join(trafficKinds.map(column))})
            as each (enrolment_id, ${kinds})
          join controllers using (enrolment_id)
          order by controllers.id
        ), days as (
          insert into traffic_days as days (controller_id, day, ${kinds})
          select id, ${dayOf(at)}::date, ${kinds} from moved
          on conflict (controller_id, day) do update set ${setKinds}
        )
        insert into month_traffic as months (controller_id, organization_id, month, bytes)
        select id, organization_id, ${monthOf(at)}::date, ${sumOfKinds} from moved
        on conflict (controller_id) do update set month = excluded.month,
          bytes = case when months.month = excluded.month then months.bytes else 0 end + excluded.bytes`.execute(
        db,
      );
    },

    /** Where a month has begun, of all organizations. */
    async forgetMonthsBefore(now: Date): Promise<void> {
      await sql`delete from month_traffic where month < ${monthOf(now)}::date`.execute(db);
    },

    async forgetDaysBefore(time: Date): Promise<void> {
      await sql`delete from traffic_days where day < ${dayOf(time)}::date`.execute(db);
    },

    /** Oldest first. `month` is like `2026-11`. */
    async listDays(scope: Scope, serialNumber: string, month: string): Promise<TrafficDay[]> {
      const first = `${month}-01`;
      const rows = await db
        .selectFrom('traffic_days')
        .innerJoin('controllers', 'controllers.id', 'traffic_days.controller_id')
        .select([sql<string>`day::text`.as('day'), ...trafficKinds])
        .where('controllers.serial_number', '=', serialNumber)
        .where(visibleControllers(scope))
        .where(sql<boolean>`day >= ${first}::date and day < ${first}::date + interval '1 month'`)
        .orderBy('traffic_days.day')
        .execute();
      return rows.map(({ day, ...bytes }) => ({
        day,
        // Each kind with its own number.
        ...(Object.fromEntries(trafficKinds.map((kind) => [kind, Number(bytes[kind])])) as Traffic),
      }));
    },
  };
}
export type TrafficRepository = ReturnType<typeof createTrafficRepository>;
