import type { Core } from '../../../platform/core.ts';
import {
  type CloseReason,
  type DeviceConnection,
  type EndpointErrorCode,
  isEndpointError,
  type LocalLinks,
  TelemetryFormatError,
} from '../../devices/index.ts';
import type { LiveValues } from '../live-values.ts';
import type { OffsetsRepository, SubscribedDevice } from '../offsets.repository.ts';
import { ReleasedError } from './batch-writer.ts';
import { type BudgetOptions, RateExceededError } from './entry-budget.ts';
import type { IngestionQueue } from './ingestion-queue.ts';
import { runSubscription } from './run-subscription.ts';
import type { SampleBudget } from './sample-budget.ts';

interface Subscription {
  link: DeviceConnection;
  controllerId: string;
  /** Somebody looks at the values. One that has ended stays until it is asked again, so that this is not missed. */
  isLive: boolean;
  abort: AbortController;
}

interface Dependencies {
  links: LocalLinks;
  offsets: OffsetsRepository;
  queue: IngestionQueue;
  samples: SampleBudget;
  live: LiveValues;
  budget?: BudgetOptions | undefined;
  /** When what failed is tried again, in milliseconds. */
  retryMs?: number | undefined;
}

/** Devices whose offsets are looked up together, and how long others are waited for. */
const devicesPerLookup = 500;
const batchWindowMs = 50;
/** A device that was cut for what it sent is not subscribed to for so long. */
const penaltyMs = 10 * 60_000;
/** After these the same link has nothing to tell, however often it is asked. */
const finalCodes: ReadonlySet<EndpointErrorCode> = new Set([
  'link_closed',
  'service_refused',
  'service_unknown',
]);

/** Holds a subscription to the telemetry of every device that is linked and claimed, and to no other. */
export function createTelemetrySubscriptions(
  { events, clock, log }: Core,
  { links, offsets, queue, samples, live, budget, retryMs = 5_000 }: Dependencies,
) {
  const subscriptions = new Map<string, Subscription>();
  const wanted = new Set<string>();
  const penalties = new Map<string, number>();
  /** Since the start: entries and measurements that the server left out, those that a device had no room for, devices that were cut. */
  const counts = { bad: 0, leftOut: 0, lost: 0, devicesCut: 0 };
  let isRunning = false;
  let lookup: NodeJS.Timeout | undefined;
  /** One a device at most; what happens to the device before makes it pointless. */
  const retries = new Map<string, NodeJS.Timeout>();
  const ended = new Set<Promise<void>>();

  /** Brings one device up to date with its link and its claim. */
  function request(enrolmentId: string): void {
    if (!isRunning) return;
    clearTimeout(retries.get(enrolmentId));
    retries.delete(enrolmentId);
    subscriptions.get(enrolmentId)?.abort.abort();
    subscriptions.delete(enrolmentId);
    if (links.get(enrolmentId) === undefined) return;
    wanted.add(enrolmentId);
    lookup ??= setTimeout(lookUp, batchWindowMs).unref();
  }

  function requestLater(enrolmentId: string, milliseconds: number): void {
    if (!isRunning) return;
    clearTimeout(retries.get(enrolmentId));
    retries.set(enrolmentId, setTimeout(() => request(enrolmentId), milliseconds).unref());
  }

  function lookUp(): void {
    lookup = undefined;
    const ids = [...wanted].slice(0, devicesPerLookup);
    for (const id of ids) wanted.delete(id);
    if (wanted.size > 0) lookup = setTimeout(lookUp, batchWindowMs).unref();
    offsets.openOffsets(ids).then(
      (found) => {
        for (const device of found) subscribe(device);
      },
      (error: Error) => {
        log.warn({ err: error, devices: ids.length }, 'telemetry offsets not read');
        for (const id of ids) requestLater(id, spread(retryMs));
      },
    );
  }

  function subscribe(device: SubscribedDevice): void {
    const { enrolmentId, serialNumber, controllerId } = device;
    const link = links.get(enrolmentId);
    if (!isRunning || link === undefined || subscriptions.has(enrolmentId)) return;
    const now = clock.now().getTime();
    for (const [id, until] of penalties) if (until <= now) penalties.delete(id);
    if (penalties.has(enrolmentId)) {
      requestLater(enrolmentId, spread(60_000));
      return;
    }
    const isLive = live.isWatched(controllerId);
    let isLogged = false;
    const subscription = { link, controllerId, isLive, abort: new AbortController() };
    subscriptions.set(enrolmentId, subscription);
    const work = runSubscription({
      link,
      device,
      queue,
      samples,
      clock,
      signal: subscription.abort.signal,
      isLive,
      budget,
      onBadEntries(count) {
        counts.bad += count;
        log.warn({ serialNumber, count }, 'telemetry entries left out');
      },
      onSamplesLeftOut(count) {
        counts.leftOut += count;
        // It may go on for as long as the device is there.
        if (!isLogged) log.warn({ serialNumber, count }, 'measurements beyond the budget left out');
        isLogged = true;
      },
      onLost(count) {
        counts.lost += count;
        log.info({ serialNumber, count }, 'measurements lost while the device was not heard');
      },
    })
      .then(
        // An agent that starts over ends its stream; a hostile one could do so at once, again and again.
        () => again(device, subscription, idleMsOf(subscription) ?? 1_000),
        (error: Error) => fail(device, subscription, error),
      )
      .finally(() => ended.delete(work));
    ended.add(work);
  }

  function again({ enrolmentId }: SubscribedDevice, subscription: Subscription, milliseconds: number): void {
    if (subscriptions.get(enrolmentId) !== subscription) return;
    if (idleMsOf(subscription) === undefined) subscriptions.delete(enrolmentId);
    requestLater(enrolmentId, spread(milliseconds));
  }

  /** When a device is asked again that does not tell by itself; undefined where each second counts, or where it does. */
  const idleMsOf = ({ link, isLive }: Subscription) => (isLive ? undefined : link.telemetryEveryMs);

  function fail(device: SubscribedDevice, subscription: Subscription, error: Error): void {
    const { enrolmentId, serialNumber } = device;
    const reason = describeMisuse(error);
    if (reason) {
      log.warn({ serialNumber, reason, err: error }, 'device cut for its telemetry');
      counts.devicesCut += 1;
      penalties.set(enrolmentId, clock.now().getTime() + penaltyMs);
      subscriptions.delete(enrolmentId);
      subscription.link.close(reason);
      return;
    }
    const { telemetryEveryMs } = subscription.link;
    if (telemetryEveryMs !== undefined && isEndpointError(error) && error.code !== 'link_closed') {
      log.debug({ serialNumber, err: error }, 'no telemetry was to be had');
      again(device, subscription, idleMsOf(subscription) ?? retryMs);
      return;
    }
    // An agent without telemetry, until it comes back as another one; a link that is gone comes back by itself.
    const isOver = error instanceof ReleasedError || (isEndpointError(error) && finalCodes.has(error.code));
    if (isOver) {
      if (subscriptions.get(enrolmentId) === subscription) subscriptions.delete(enrolmentId);
      return;
    }
    log.warn({ serialNumber, err: error }, 'telemetry not taken; the device keeps it');
    again(device, subscription, retryMs);
  }

  /** Whether each second counts is said when a subscription begins: another answer begins another one. */
  function changeLive(controllerId: string, isLive: boolean): void {
    for (const [enrolmentId, held] of subscriptions)
      if (held.controllerId === controllerId && held.isLive !== isLive) request(enrolmentId);
  }

  links.onChange((enrolmentId, change) => {
    // A cut ends none: what the device tells goes on where it was.
    if (change === 'link' || !subscriptions.has(enrolmentId)) request(enrolmentId);
  });
  live.onChange(changeLive);
  events.subscribe('enrolmentChanged', ({ enrolmentId }) => request(enrolmentId));
  events.subscribe('eventsMissed', () => {
    // One whose claim has ended is told so when it stores something.
    for (const id of links.listIds()) if (!subscriptions.has(id)) request(id);
  });

  return {
    get state() {
      return { subscriptions: subscriptions.size, ...counts };
    },
    start(): void {
      if (isRunning) return;
      isRunning = true;
      for (const id of links.listIds()) request(id);
    },
    /** Until `start`. Resolves when nothing that was taken waits to be stored any more. */
    async stop(): Promise<void> {
      isRunning = false;
      clearTimeout(lookup);
      lookup = undefined;
      wanted.clear();
      for (const timer of retries.values()) clearTimeout(timer);
      retries.clear();
      for (const { abort } of subscriptions.values()) abort.abort();
      subscriptions.clear();
      await Promise.all(ended);
      await queue.whenIdle();
    },
  };
}
export type TelemetrySubscriptions = ReturnType<typeof createTelemetrySubscriptions>;

/** Why a device is cut; undefined when it is not to blame. */
function describeMisuse(error: Error): CloseReason | undefined {
  if (error instanceof RateExceededError) return 'flood';
  return error instanceof TelemetryFormatError ? 'protocol' : undefined;
}

/** Not all at the same moment. */
function spread(milliseconds: number): number {
  return milliseconds * (0.5 + Math.random());
}
