import type { StatusReason } from '@pult/contract';
import type { Node } from '../../platform/cluster/index.ts';
import type { Core } from '../../platform/core.ts';
import type { LocalLinks } from './local-links.ts';
import type { PresenceRepository, StatusChange, WantedStatus } from './presence.repository.ts';

interface Dependencies {
  repository: Pick<PresenceRepository, 'setStatuses' | 'touch' | 'markLost' | 'listOnlineEnrolments'>;
  links: LocalLinks;
  /** Where it is one of several, the database tells who is lost. */
  node: Pick<Node, 'id' | 'settings'>;
  /** How long after a start the last known status stands, in milliseconds. */
  startGraceMs?: number | undefined;
  touchIntervalMs?: number | undefined;
  /** How soon a status that could not be written is tried again. */
  retryMs?: number | undefined;
}

export interface Presence {
  start(): void;
  /** Of several nodes: marks those that none of them has touched for too long. Run by one of them each minute. */
  markUntouched(): Promise<void>;
  /** From now on links that end say nothing about their devices: the server is leaving, not they. */
  stop(): Promise<void>;
}

/** Two touches may be missed. */
const untouchedMs = 150_000;
/** Status changes that one statement writes. */
const batchSize = 1000;
/** From one batch to the next: in a storm each would tell of one device otherwise. */
const batchWindowMs = 50;
/** How soon a row is tried again that somebody else was writing. */
const busyRetryMs = 250;

/** Why the status is to be looked at: its reason should the device be offline, and since when. */
interface Cause {
  offlineReason: StatusReason;
  at: Date;
}

/**
 * Keeps each controller's status true to its link. Whatever happens (link, loss, claim) only asks for the
 * status to be brought up to date; it is computed when it is written, and one batch is written after the other,
 * so late writes cannot undo newer ones. What happens during a write makes the next batch.
 */
export function createPresence(
  { clock, events, log }: Pick<Core, 'clock' | 'events' | 'log'>,
  dependencies: Dependencies,
): Presence {
  const { repository, links, node } = dependencies;
  const { startGraceMs = 90_000, touchIntervalMs = 60_000, retryMs = 5_000 } = dependencies;
  const waiting = new Map<string, Cause>();
  /** From the begin of a batch until the next one may begin. */
  let writing: Promise<void> | undefined;
  /** What could not be written. */
  const unwritten = new Map<string, Cause>();
  const duplicated = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  let stopped = false;

  function wantedStatus([enrolmentId, { offlineReason, at }]: [string, Cause]): WantedStatus {
    const linked = links.get(enrolmentId) !== undefined;
    const isDuplicated = linked && links.isDuplicated(enrolmentId);
    if (isDuplicated) duplicated.add(enrolmentId);
    else duplicated.delete(enrolmentId);
    const reason = isDuplicated ? 'duplicate_identity' : linked ? 'link' : offlineReason;
    const generation = links.getGeneration(enrolmentId);
    return { enrolmentId, status: linked ? 'online' : 'offline', reason, generation, at };
  }

  function publish({ enrolmentId: _, organizationId, statusSince, lastSeenAt, ...rest }: StatusChange): void {
    events.publish('organization', {
      organizationId,
      event: {
        ...rest,
        type: 'controller.status',
        statusSince: statusSince.toISOString(),
        lastSeenAt: lastSeenAt?.toISOString() ?? null,
      },
    });
  }

  async function writeBatch(): Promise<void> {
    const batch = [...waiting].slice(0, batchSize);
    for (const [enrolmentId] of batch) waiting.delete(enrolmentId);
    try {
      const { changes, busy } = await repository.setStatuses(
        batch.map(wantedStatus),
        node.settings ? node.id : null,
      );
      for (const change of changes) publish(change);
      if (busy.length === 0) return;
      const held = new Set(busy);
      const again = batch.filter(([enrolmentId]) => held.has(enrolmentId));
      after(busyRetryMs, () => requestAgain(again));
    } catch (error) {
      // Of the database's driver.
      log.error({ count: batch.length, err: error }, 'status not written');
      for (const [enrolmentId, cause] of batch) unwritten.set(enrolmentId, cause);
    }
  }

  function writeNext(): void {
    if (writing || waiting.size === 0 || stopped) return;
    writing = writeBatch().then(() => {
      after(batchWindowMs, () => {
        writing = undefined;
        writeNext();
      });
    });
  }

  function request(enrolmentId: string, offlineReason: StatusReason = 'link', at = clock.now()): void {
    if (stopped) return;
    unwritten.delete(enrolmentId);
    waiting.set(enrolmentId, { offlineReason, at });
    writeNext();
  }

  /** What has happened since counts instead. */
  function requestAgain(causes: Iterable<[string, Cause]>): void {
    for (const [enrolmentId, { offlineReason, at }] of causes) {
      if (!waiting.has(enrolmentId)) request(enrolmentId, offlineReason, at);
    }
  }

  links.onChange((enrolmentId) => request(enrolmentId));
  events.subscribe('enrolmentChanged', ({ enrolmentId }) => request(enrolmentId));
  events.subscribe('eventsMissed', () => {
    for (const enrolmentId of links.listIds()) request(enrolmentId);
  });

  const report = (error: Error) => log.error({ err: error }, 'presence not written');

  function after(milliseconds: number, run: () => void): void {
    if (stopped) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, milliseconds).unref();
    timers.add(timer);
  }

  /** Those who did not come back after the server's start. */
  async function markLost(): Promise<void> {
    try {
      for (const id of await repository.listOnlineEnrolments()) {
        if (links.get(id) === undefined && !waiting.has(id)) request(id, 'server_restart');
      }
    } catch (error) {
      report(error as Error); // of the database's driver
      after(retryMs, () => void markLost());
    }
  }

  return {
    async markUntouched() {
      const now = clock.now();
      const before = new Date(now.getTime() - untouchedMs);
      for (const change of await repository.markLost(before, now, startGraceMs)) publish(change);
    },
    start() {
      if (!node.settings) after(startGraceMs, () => void markLost());
      const touch = () => {
        const ids = links.listIds();
        if (ids.length > 0) repository.touch(ids, clock.now()).catch(report);
        // Of two machines with one key, one may be gone by now; no change of a link tells it.
        for (const id of duplicated) request(id);
      };
      const retry = () => {
        const due = [...unwritten];
        unwritten.clear();
        requestAgain(due);
      };
      timers.add(setInterval(touch, touchIntervalMs).unref()).add(setInterval(retry, retryMs).unref());
    },
    async stop() {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
      await writing;
    },
  };
}
