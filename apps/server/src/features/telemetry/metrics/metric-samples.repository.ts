import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts';
import { metricNames } from '../../devices/index.ts';
import type {
  FleetFigure,
  MetricPoint,
  MetricQuery,
  MetricSample,
  PartFigure,
  PartQuery,
  WorstFigure,
  WorstQuery,
} from './metrics-store.ts';

const prefix = 'metric_samples_p';

/** An index that is larger than its table by so much is loose: packed it is smaller. Below so many bytes it matters to nobody. */
const looseShare = 1.25;
const looseBytes = 2 ** 20;

const dayOfPartition = (name: string) =>
  name.slice(prefix.length).replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
const partitionOf = (day: string) => prefix + day.replaceAll('-', '');

/** `2026-11-21` of a time, in UTC. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/**
 * SQL of the measurements in the database, one partition a day. They are written by the server itself; whoever reads
 * them has been given the controller by a scope.
 */
export function createMetricSamplesRepository(db: Database) {
  return {
    /** The days that have a partition. */
    async listDays(): Promise<string[]> {
      const { rows } = await sql<{ name: string }>`
        select child.relname as name from pg_inherits
        join pg_class child on child.oid = pg_inherits.inhrelid
        where pg_inherits.inhparent = 'metric_samples'::regclass`.execute(db);
      return rows.map(({ name }) => dayOfPartition(name));
    },

    /**
     * Days whose index stands loose. Rows come by time and stand in it by controller, so its pages split in the middle: it takes twice
     * the room that it needs, 30 % of all that measurements take.
     */
    async listLooseDays(): Promise<string[]> {
      const { rows } = await sql<{ name: string }>`
        select child.relname as name from pg_inherits
        join pg_class child on child.oid = pg_inherits.inhrelid
        where pg_inherits.inhparent = 'metric_samples'::regclass
          and pg_indexes_size(child.oid) > greatest(${looseBytes}::bigint, ${looseShare}::float8 * pg_relation_size(child.oid))
        order by 1`.execute(db);
      return rows.map(({ name }) => dayOfPartition(name));
    },

    /** While others read and write it. */
    async packDay(day: string): Promise<void> {
      const name = partitionOf(day);
      await db.connection().execute(async (connection) => {
        // It takes as long as it takes: a day of 10,000 controllers is some GB.
        await sql`set statement_timeout = 0`.execute(connection);
        try {
          // What a packing has left that was interrupted.
          const { rows } = await sql<{ name: string }>`
            select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
            where indrelid = ${name}::regclass and not indisvalid`.execute(connection);
          for (const left of rows)
            await sql`drop index concurrently ${sql.id(left.name)}`.execute(connection);
          await sql`reindex table concurrently ${sql.id(name)}`.execute(connection);
        } finally {
          await sql`reset statement_timeout`.execute(connection);
        }
      });
    },

    /** Attached when it is whole: so nobody who reads or writes other days has to wait for more than a moment. */
    async createDay(day: string): Promise<void> {
      const name = sql.id(partitionOf(day));
      const next = dayOf(new Date(Date.parse(`${day}T00:00:00Z`) + 24 * 3600_000));
      await db.transaction().execute(async (transaction) => {
        // Of two servers one makes it.
        await sql`select pg_advisory_xact_lock(hashtext(${prefix + day}))`.execute(transaction);
        const { rows } = await sql`
          select from pg_class where relname = ${partitionOf(day)}`.execute(transaction);
        if (rows.length > 0) return;
        await sql`create table ${name} (like metric_samples including all)`.execute(transaction);
        await sql`alter table metric_samples attach partition ${name}
          for values from (${sql.lit(`${day}T00:00:00Z`)}) to (${sql.lit(`${next}T00:00:00Z`)})`.execute(
          transaction,
        );
      });
    },

    /** Gives up soon when somebody reads for long: it is tried again. */
    async dropDay(day: string): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        await sql`set local lock_timeout = '3s'`.execute(transaction);
        await sql`drop table if exists ${sql.id(partitionOf(day))}`.execute(transaction);
      });
    },

    async insertSamples(transaction: DatabaseTransaction, samples: readonly MetricSample[]): Promise<void> {
      if (samples.length === 0) return;
      const columns = metricNames.map((name) => samples.map(({ values }) => values[name] ?? null));
      await sql`
        insert into metric_samples (controller_id, at, ${sql.join(metricNames.map((name) => sql.ref(name)))})
        select * from unnest(
          ${samples.map(({ controllerId }) => controllerId)}::uuid[],
          ${samples.map(({ at }) => at.toISOString())}::timestamptz[],
          ${sql.join(columns.map((values) => sql`${values}::double precision[]`))}
        )`.execute(transaction);
    },

    async queryBuckets({ controllerId, name, start, stop, bucketMs }: MetricQuery): Promise<MetricPoint[]> {
      const column = sql.ref(name);
      const { rows } = await sql<MetricPoint>`
        select date_bin(${`${bucketMs} milliseconds`}::interval, at, 'epoch'::timestamptz) as at, avg(${column}) as value
        from metric_samples
        where controller_id = ${controllerId} and at >= ${start} and at < ${stop} and ${column} is not null
        group by 1 order by 1`.execute(db);
      return rows;
    },

    /**
     * By a look into the index for each controller: the partitions are ordered by controller, so a part of a day is
     * otherwise found only by reading the whole day.
     */
    async summarize(start: Date, stop: Date): Promise<FleetFigure[]> {
      const averages = metricNames.map((name) => sql`avg(${sql.ref(name)}) as ${sql.ref(name)}`);
      const figures = metricNames.map((name) => sql`(${sql.lit(name)}, each.${sql.ref(name)})`);
      const { rows } = await sql<FleetFigure>`
        select controllers.organization_id as "organizationId", figures.name, count(*)::int as controllers,
          min(value) as lowest, percentile_cont(0.5) within group (order by value) as median, max(value) as highest
        from controllers
        cross join lateral (
          select ${sql.join(averages)} from metric_samples
          where controller_id = controllers.id and at >= ${start} and at < ${stop} and at >= controllers.activated_at
        ) as each
        cross join lateral (values ${sql.join(figures)}) as figures (name, value)
        where value is not null
        group by 1, 2`.execute(db);
      return rows;
    },

    async queryPart({ controllerIds, name, start, stop, bucketMs }: PartQuery): Promise<PartFigure[]> {
      const column = sql.ref(name);
      const bucket = sql`date_bin(${`${bucketMs} milliseconds`}::interval, at, 'epoch'::timestamptz)`;
      const { rows } = await sql<PartFigure>`
        select bucket as at, count(*)::int as controllers, min(value) as lowest,
          percentile_cont(0.5) within group (order by value) as median, max(value) as highest
        from (
          select controller_id, ${bucket} as bucket, avg(${column}) as value
          from metric_samples join controllers on controllers.id = metric_samples.controller_id
          where controller_id = any(${[...controllerIds]}::uuid[]) and at >= ${start} and at < ${stop}
            and at >= controllers.activated_at and ${column} is not null
          group by 1, 2
        ) as each
        group by 1 order by 1`.execute(db);
      return rows;
    },

    async listWorst({
      organizationId,
      name,
      start,
      stop,
      isLowWorst,
      limit,
      among,
    }: WorstQuery): Promise<WorstFigure[]> {
      const column = sql.ref(name);
      const { rows } = await sql<WorstFigure>`
        select controllers.id as "controllerId", newest.value
        from controllers
        cross join lateral (
          select ${column} as value from metric_samples
          where controller_id = controllers.id and at >= ${start} and at < ${stop} and at >= controllers.activated_at
            and ${column} is not null
          order by at desc limit 1
        ) as newest
        where controllers.organization_id = ${organizationId}
          ${among ? sql`and controllers.id = any(${[...among]}::uuid[])` : sql``}
        order by value ${sql.raw(isLowWorst ? 'asc' : 'desc')}, controllers.serial_number
        limit ${limit}`.execute(db);
      return rows;
    },

    /**
     * All that they take, by the share of each organization in `sampledBlocks` of the table: to count rows is to read all of them. The
     * sample is the same one each time, so that figures do not jump.
     */
    async measureSpace(sampledBlocks = 2_000): Promise<Map<string, number>> {
      const sizes = await sql<{ bytes: number; blocks: number }>`
        select coalesce(sum(pg_total_relation_size(inhrelid)), 0)::float8 as bytes,
          coalesce(sum(pg_relation_size(inhrelid)), 0)::float8 / current_setting('block_size')::int as blocks
        from pg_inherits where inhparent = 'metric_samples'::regclass`.execute(db);
      const { bytes = 0, blocks = 0 } = sizes.rows[0] ?? {};
      const percent = Math.min(100, (100 * sampledBlocks) / Math.max(1, blocks));
      const { rows } = await sql<{ organizationId: string | null; count: number }>`
        select organization_id as "organizationId", count(*)::int as count
        from metric_samples tablesample system (${percent}) repeatable (1)
        left join controllers on controllers.id = controller_id
        group by 1`.execute(db);
      const all = rows.reduce((sum, { count }) => sum + count, 0);
      const shares = new Map<string, number>();
      for (const { organizationId, count } of rows)
        if (organizationId !== null) shares.set(organizationId, Math.round((bytes * count) / all));
      return shares;
    },

    async deleteControllers(controllerIds: readonly string[]): Promise<void> {
      await sql`delete from metric_samples where controller_id = any(${[...controllerIds]}::uuid[])`.execute(
        db,
      );
    },
  };
}
export type MetricSamplesRepository = ReturnType<typeof createMetricSamplesRepository>;
