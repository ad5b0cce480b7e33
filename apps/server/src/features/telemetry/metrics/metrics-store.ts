import type { DatabaseTransaction } from '../../../platform/db/schema.ts';
import type { Metric } from '../../../platform/prometheus/metric.ts';
import type { MetricName } from '../../devices/index.ts';

/** What a controller measured at one time. */
export interface MetricSample {
  controllerId: string;
  serialNumber: string;
  organizationId: string;
  at: Date;
  values: Partial<Record<MetricName, number>>;
}

export interface MetricPoint {
  at: Date;
  value: number;
}

export interface MetricQuery {
  controllerId: string;
  name: MetricName;
  /** Included. */
  start: Date;
  /** Not included. */
  stop: Date;
  bucketMs: number;
}

/** A part of time over all controllers of an organization: of each counts the average. */
export interface FleetFigure {
  organizationId: string;
  name: MetricName;
  controllers: number;
  lowest: number;
  median: number;
  highest: number;
}

export interface WorstQuery {
  organizationId: string;
  name: MetricName;
  /** Included. */
  start: Date;
  stop: Date;
  isLowWorst: boolean;
  limit: number;
  /** Only these controllers. */
  among?: readonly string[] | undefined;
}

/** Of some controllers of an organization, in parts of time. */
export interface PartQuery extends Omit<MetricQuery, 'controllerId'> {
  organizationId: string;
  controllerIds: readonly string[];
}

export interface PartFigure extends Omit<FleetFigure, 'organizationId' | 'name'> {
  at: Date;
}

export interface WorstFigure {
  controllerId: string;
  value: number;
}

/** Where measurements are kept for the time of METRICS_RETENTION_DAYS. */
export interface MetricsStore {
  /**
   * Before the transaction of `write`: makes room for these. Rejects while the store can take no more; whoever sent
   * them keeps them until then.
   */
  prepare(samples: readonly MetricSample[]): Promise<void>;
  /** Keeps them if the transaction is committed, and otherwise not. Those past the retention are left out. */
  write(transaction: DatabaseTransaction, samples: readonly MetricSample[]): Promise<void>;
  /** Averages by bucket, oldest first; buckets begin at multiples of their length. Throws `metrics_unavailable`. */
  query(query: MetricQuery): Promise<MetricPoint[]>;
  /** All organizations and figures from `start` up to `stop`, which is not included. Throws `metrics_unavailable`. */
  summarize(start: Date, stop: Date): Promise<FleetFigure[]>;
  /** The same of some controllers, from what they measured; oldest first. Throws `metrics_unavailable`. */
  queryPart(query: PartQuery): Promise<PartFigure[]>;
  /** By the newest figure of each controller, worst first. Throws `metrics_unavailable`. */
  listWorst(query: WorstQuery): Promise<WorstFigure[]>;
  /** Removes all of these controllers. Rejects when that has to be tried again. */
  remove(controllerIds: readonly string[]): Promise<void>;
  /** About how many bytes each organization takes; those that take none are left out. Undefined where the store cannot tell. */
  measureSpace(): Promise<ReadonlyMap<string, number> | undefined>;
  /** How it does, for Prometheus. */
  readonly metrics?: readonly Metric[];
  /** Run by a job every hour. */
  maintain(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}
