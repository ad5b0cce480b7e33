import { type Metric, sample } from '../../platform/prometheus/metric.ts';
import type { HistoryRecorder } from '../history/index.ts';
import type { IngestionQueue } from './ingestion/ingestion-queue.ts';
import type { TelemetrySubscriptions } from './ingestion/subscriptions.ts';
import type { OrganizationShares } from './shares/organization-shares.ts';

/** What devices tell: how much waits to be stored, since when, and what was lost. */
export function createTelemetryMetrics(
  queue: Pick<IngestionQueue, 'state'>,
  subscriptions: Pick<TelemetrySubscriptions, 'state'>,
  shares: Pick<OrganizationShares, 'held'>,
  history: Pick<HistoryRecorder, 'leftOut'>,
): readonly Metric[] {
  return [
    {
      name: 'pult_telemetry_subscriptions',
      help: 'Devices whose telemetry is taken',
      type: 'gauge',
      read: () => sample(subscriptions.state.subscriptions),
    },
    {
      name: 'pult_telemetry_waiting_entries',
      help: 'Entries of telemetry that wait to be stored',
      type: 'gauge',
      read: () => sample(queue.state.waiting),
    },
    {
      name: 'pult_telemetry_lag_seconds',
      help: 'Age of the oldest telemetry that waits to be stored',
      type: 'gauge',
      read: () => sample(queue.state.oldestSeconds),
    },
    {
      name: 'pult_telemetry_entries_stored_total',
      help: 'Entries of telemetry that were stored',
      type: 'counter',
      read: () => sample(queue.state.stored),
    },
    {
      name: 'pult_telemetry_batches_failed_total',
      help: 'Batches of telemetry that could not be stored; devices keep them and send them again',
      type: 'counter',
      read: () => sample(queue.state.failed),
    },
    {
      name: 'pult_telemetry_dropped_entries_total',
      help: 'Entries of telemetry that are lost: unreadable ones, measurements and values of a history beyond a budget, and those that a device had no room for',
      type: 'counter',
      labels: ['reason'],
      read: () => [
        { labels: { reason: 'unreadable' }, value: subscriptions.state.bad },
        { labels: { reason: 'over_budget' }, value: subscriptions.state.leftOut + history.leftOut },
        { labels: { reason: 'no_room' }, value: subscriptions.state.lost },
      ],
    },
    {
      name: 'pult_telemetry_devices_cut_total',
      help: 'Devices that were cut for what they sent as telemetry',
      type: 'counter',
      read: () => sample(subscriptions.state.devicesCut),
    },
    {
      name: 'pult_telemetry_organizations_held',
      help: 'Organizations whose measurements are not kept, as they have their share of the disk',
      type: 'gauge',
      read: () => sample(shares.held),
    },
  ];
}
