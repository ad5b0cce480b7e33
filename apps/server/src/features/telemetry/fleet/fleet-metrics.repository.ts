import type { FleetMetrics, FleetPresence, WorstControllers } from '@pult/contract';
import { sql } from 'kysely';
import { type Scope, visibleControllers, wholeOrganizations } from '../../../platform/access/index.ts';
import type { Database } from '../../../platform/db/schema.ts';
import { createFleetCounts, matchingControllers } from '../../controllers/index.ts';
import type { MetricName } from '../../devices/index.ts';
import type { FleetFigure } from '../metrics/metrics-store.ts';

export interface FleetPeriod {
  organizationId: string;
  start: Date;
  stop: Date;
  bucketMs: number;
}

/** The beginning of a part of time as SQL; parts begin at multiples of their length. */
const partOf = (bucketMs: number) =>
  sql`date_bin(${`${bucketMs} milliseconds`}::interval, at, 'epoch'::timestamptz)`;

/** SQL of whole fleets' figures. Written by the server for all organizations alike; readers take a scope. */
export function createFleetMetricsRepository(db: Database) {
  const kept = createFleetCounts(db);
  return {
    /**
     * The beginnings of parts of `stepMs` that are over but summed up less often than they should be, newest first:
     * once when over, and once more for each of `lateMs` that has passed since.
     */
    async listDue(options: {
      oldest: Date;
      now: Date;
      stepMs: number;
      lateMs: readonly number[];
      limit: number;
    }): Promise<{ at: Date; passes: number }[]> {
      const { oldest, now, stepMs, lateMs, limit } = options;
      const step = sql`${`${stepMs} milliseconds`}::interval`;
      const late = sql`${lateMs.map((each) => `${each + stepMs} milliseconds`)}::interval[]`;
      const { rows } = await sql<{ at: Date; passes: number }>`
        select parts.at, wanted.passes
        from generate_series(
          date_bin(${step}, greatest(${oldest}::timestamptz, (select min(activated_at) from controllers)), 'epoch'),
          ${now}::timestamptz - ${step}, ${step}) as parts (at)
        left join fleet_metric_passes as done on done.at = parts.at
        cross join lateral (
          select 1 + count(*)::int as passes from unnest(${late}) as late (after) where parts.at + after <= ${now}
        ) as wanted
        where coalesce(done.passes, 0) < wanted.passes
        order by parts.at desc limit ${limit}`.execute(db);
      return rows;
    },

    /** Figures of the part that begins `at`, over earlier ones; `passes` when it is over. */
    async saveFigures(at: Date, figures: readonly FleetFigure[], passes?: number): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        // An organization that was deleted meanwhile has none.
        await sql`
          insert into fleet_metrics (organization_id, name, at, controllers, lowest, median, highest)
          select organization_id, new.name, ${at}::timestamptz, controllers, lowest, median, highest
          from unnest(
            ${figures.map(({ organizationId }) => organizationId)}::uuid[],
            ${figures.map(({ name }) => name)}::text[],
            ${figures.map(({ controllers }) => controllers)}::integer[],
            ${figures.map(({ lowest }) => lowest)}::double precision[],
            ${figures.map(({ median }) => median)}::double precision[],
            ${figures.map(({ highest }) => highest)}::double precision[]
          ) as new (organization_id, name, controllers, lowest, median, highest)
          join organizations on organizations.id = organization_id
          on conflict (organization_id, name, at) do update set controllers = excluded.controllers,
            lowest = excluded.lowest, median = excluded.median, highest = excluded.highest`.execute(
          transaction,
        );
        if (passes === undefined) return;
        await transaction
          .insertInto('fleet_metric_passes')
          .values({ at, passes })
          .onConflict((conflict) => conflict.column('at').doUpdateSet({ passes }))
          .execute();
      });
    },

    /** How many are online at this moment, of each organization; from the counts that the database keeps. */
    async savePresence(at: Date): Promise<void> {
      await sql`
        insert into fleet_presence (organization_id, at, online, total)
        select organization_id, ${at}::timestamptz, coalesce(sum(change) filter (where status = 'online'), 0), sum(change)
        from organization_counts join organizations on organizations.id = organization_id
        group by organization_id having sum(change) > 0
        on conflict do nothing`.execute(db);
    },

    async deleteBefore(oldest: Date): Promise<void> {
      for (const table of ['fleet_metrics', 'fleet_metric_passes', 'fleet_presence'] as const) {
        await db.deleteFrom(table).where('at', '<', oldest).execute();
      }
    },

    async queryMetrics(
      scope: Scope,
      name: MetricName,
      { organizationId, start, stop, bucketMs }: FleetPeriod,
    ): Promise<FleetMetrics> {
      const { rows } = await sql<Omit<FleetMetrics[number], 'timestamp'> & { at: Date }>`
        select ${partOf(bucketMs)} as at, max(controllers) as controllers, min(lowest) as lowest,
          avg(median) as median, max(highest) as highest
        from fleet_metrics
        where organization_id in ${wholeOrganizations(scope, organizationId)} and name = ${name}
          and at >= ${start} and at < ${stop}
        group by 1 order by 1`.execute(db);
      return rows.map(({ at, ...figures }) => ({ timestamp: at.toISOString(), ...figures }));
    },

    async queryPresence(
      scope: Scope,
      { organizationId, start, stop, bucketMs }: FleetPeriod,
    ): Promise<FleetPresence> {
      // Of the moment with the fewest, both figures: only together they tell something. In one number, which takes no sorting.
      const { rows } = await sql<{ at: Date; online: number; total: number }>`
        select at, (fewest >> 32)::int as online, (fewest & 2147483647)::int as total
        from (
          select ${partOf(bucketMs)} as at, min((online::bigint << 32) + total) as fewest from fleet_presence
          where organization_id in ${wholeOrganizations(scope, organizationId)}
            and at >= ${start} and at < ${stop}
          group by 1
        ) as parts
        order by at`.execute(db);
      return rows.map(({ at, ...counts }) => ({ timestamp: at.toISOString(), ...counts }));
    },

    /** Of a part of the organization. */
    async listIds(scope: Scope, organizationId: string): Promise<string[]> {
      const query = await matchingControllers(db, scope, { organization_id: organizationId });
      const rows = await query.select('controllers.id').execute();
      return rows.map(({ id }) => id);
    },

    /** Of a part of the organization. */
    async countNow(scope: Scope, organizationId: string): Promise<{ online: number; total: number }> {
      const counts = await kept.countByStatus(scope, { organization_id: organizationId });
      const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
      return { online: counts.get('online') ?? 0, total };
    },

    /** By their ids, in the scope only. */
    async describe(
      scope: Scope,
      organizationId: string,
      ids: readonly string[],
    ): Promise<Map<string, Omit<WorstControllers[number], 'value'>>> {
      if (ids.length === 0) return new Map();
      const rows = await db
        .selectFrom('controllers')
        .select(['id', 'serial_number as serialNumber', 'description', 'status'])
        .where('organization_id', '=', organizationId)
        .where(visibleControllers(scope, { organizationId }))
        .where('id', 'in', ids)
        .execute();
      return new Map(rows.map(({ id, ...row }) => [id, row]));
    },
  };
}
export type FleetMetricsRepository = ReturnType<typeof createFleetMetricsRepository>;
