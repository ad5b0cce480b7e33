import { type CloudLink, type LinkCloseReason, ServiceError, type ServiceErrorCode } from '@pult/link';
import type { Clock } from '../../../platform/clock.ts';
import type { Events } from '../../../platform/events/events.ts';
import type { Logger } from '../../../platform/log.ts';
import type { Links } from '../../devices/index.ts';
import type { Position, PositionsRepository } from '../positions.repository.ts';
import { ReleasedError } from './batch-writer.ts';
import type { IngestionQueue } from './ingestion-queue.ts';
import { type BudgetOptions, FloodError } from './line-budget.ts';
import { EndlessLineError } from './line-splitter.ts';
import { listenToDevice, NonsenseError } from './listen-to-device.ts';

interface Listener {
  link: CloudLink;
  abort: AbortController;
}

interface Dependencies {
  links: Links;
  positions: PositionsRepository;
  queue: IngestionQueue;
  events: Events;
  clock: Clock;
  log: Logger;
  budget?: BudgetOptions | undefined;
  /** When what failed is tried again, in milliseconds. */
  retryMs?: number | undefined;
}

/** Devices whose positions are looked up together, and how long others are waited for. */
const devicesPerLookup = 500;
const batchWindowMs = 50;
/** A device that was cut for what it sent is not listened to for so long. */
const penaltyMs = 10 * 60_000;
/** After these the same link has nothing to tell, however often it is asked. */
const finalCodes: ReadonlySet<ServiceErrorCode> = new Set([
  'link_closed',
  'service_refused',
  'service_unknown',
]);

/** Listens to every device that is linked and claimed, and to no other. */
export function createListeners(dependencies: Dependencies) {
  const { links, positions, queue, events, clock, log, budget, retryMs = 5_000 } = dependencies;
  const listeners = new Map<string, Listener>();
  const wanted = new Set<string>();
  const penalties = new Map<string, number>();
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
    listeners.get(enrolmentId)?.abort.abort();
    listeners.delete(enrolmentId);
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
    positions.openPositions(ids).then(
      (found) => {
        for (const position of found) listen(position);
      },
      (error: Error) => {
        log.warn({ error: error.message, devices: ids.length }, 'telemetry positions not read');
        for (const id of ids) requestLater(id, spread(retryMs));
      },
    );
  }

  function listen(position: Position): void {
    const { enrolmentId, serialNumber } = position;
    const link = links.get(enrolmentId);
    if (!isRunning || link === undefined || listeners.has(enrolmentId)) return;
    const now = clock.now().getTime();
    for (const [id, until] of penalties) if (until <= now) penalties.delete(id);
    if (penalties.has(enrolmentId)) {
      requestLater(enrolmentId, spread(60_000));
      return;
    }
    const listener = { link, abort: new AbortController() };
    listeners.set(enrolmentId, listener);
    const work = listenToDevice({
      link,
      position,
      queue,
      clock,
      signal: listener.abort.signal,
      budget,
      onBadLines: (count) => log.warn({ serialNumber, count }, 'telemetry lines left out'),
      onLost: (count) =>
        log.info({ serialNumber, count }, 'measurements lost while the device was not heard'),
    })
      .then(
        // An agent that starts over ends its stream; a hostile one could do so at once, again and again.
        () => again(position, listener, 1_000),
        (error: Error) => fail(position, listener, error),
      )
      .finally(() => ended.delete(work));
    ended.add(work);
  }

  function again({ enrolmentId }: Position, listener: Listener, milliseconds: number): void {
    if (listeners.get(enrolmentId) !== listener) return;
    listeners.delete(enrolmentId);
    requestLater(enrolmentId, spread(milliseconds));
  }

  function fail(position: Position, listener: Listener, error: Error): void {
    const { enrolmentId, serialNumber } = position;
    const reason = describeMisuse(error);
    if (reason) {
      log.warn({ serialNumber, reason, error: error.message }, 'device cut for its telemetry');
      penalties.set(enrolmentId, clock.now().getTime() + penaltyMs);
      listeners.delete(enrolmentId);
      listener.link.close(reason);
      return;
    }
    // An agent without telemetry, until it comes back as another one; a link that is gone comes back by itself.
    const isOver =
      error instanceof ReleasedError || (error instanceof ServiceError && finalCodes.has(error.code));
    if (isOver) {
      if (listeners.get(enrolmentId) === listener) listeners.delete(enrolmentId);
      return;
    }
    log.warn({ serialNumber, error: error.message }, 'telemetry not taken; the device keeps it');
    again(position, listener, retryMs);
  }

  links.onChange(request);
  events.subscribe('enrolmentChanged', ({ enrolmentId }) => request(enrolmentId));

  return {
    start(): void {
      isRunning = true;
      for (const id of links.listIds()) request(id);
    },
    /** Resolves when nothing that was taken waits to be stored any more. */
    async stop(): Promise<void> {
      isRunning = false;
      clearTimeout(lookup);
      for (const timer of retries.values()) clearTimeout(timer);
      for (const { abort } of listeners.values()) abort.abort();
      listeners.clear();
      await Promise.all(ended);
      await queue.whenIdle();
    },
  };
}

/** Why a device is cut; undefined when it is not to blame. */
function describeMisuse(error: Error): LinkCloseReason | undefined {
  if (error instanceof FloodError) return 'flood';
  return error instanceof EndlessLineError || error instanceof NonsenseError ? 'protocol' : undefined;
}

/** Not all at the same moment. */
function spread(milliseconds: number): number {
  return milliseconds * (0.5 + Math.random());
}
