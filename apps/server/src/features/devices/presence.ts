import type { StatusReason } from '@pult/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Logger } from '../../platform/log.ts';
import type { Links } from './links.ts';
import type { PresenceRepository } from './presence.repository.ts';

interface Dependencies {
  repository: PresenceRepository;
  links: Links;
  events: Events;
  log: Logger;
  clock: Clock;
  /** How long after a start the last known status stands, in milliseconds. */
  startGraceMs?: number | undefined;
  touchIntervalMs?: number | undefined;
  /** How soon a status that could not be written is tried again. */
  retryMs?: number | undefined;
}

export interface Presence {
  start(): void;
  /** From now on links that end say nothing about their devices: the server is leaving, not they. */
  stop(): Promise<void>;
}

/** Status writes at once: when a whole fleet comes or goes, people still get their share of the database. */
const writers = 4;

/**
 * Keeps each controller's status true to its link. Whatever happens (link, loss, claim) only asks for the
 * status to be brought up to date; it is computed when its turn comes, so late writes cannot undo newer ones.
 */
export function createPresence(dependencies: Dependencies): Presence {
  const { repository, links, events, log, clock } = dependencies;
  const { startGraceMs = 90_000, touchIntervalMs = 60_000, retryMs = 5_000 } = dependencies;
  const queues = new Map<string, Promise<void>>();
  /** What could not be written, with its reason should it still be offline. */
  const unwritten = new Map<string, StatusReason>();
  const duplicated = new Set<string>();
  const timers: NodeJS.Timeout[] = [];
  const lanes = Array.from({ length: writers }, () => Promise.resolve());
  let turn = 0;
  let stopped = false;

  async function bringUpToDate(enrolmentId: string, offlineReason: StatusReason): Promise<void> {
    if (stopped) return;
    const linked = links.get(enrolmentId) !== undefined;
    const isDuplicated = linked && links.isDuplicated(enrolmentId);
    if (isDuplicated) duplicated.add(enrolmentId);
    else duplicated.delete(enrolmentId);
    const reason = isDuplicated ? 'duplicate_identity' : linked ? 'link' : offlineReason;
    const change = await repository.setStatus(
      enrolmentId,
      linked ? 'online' : 'offline',
      reason,
      clock.now(),
    );
    if (!change) return;
    const { organizationId, statusSince, lastSeenAt, ...rest } = change;
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

  /** Does the work when it is its turn in one of the lanes. */
  function inLane(work: () => Promise<void>): Promise<void> {
    turn = (turn + 1) % writers;
    const done = (lanes[turn] ?? Promise.resolve()).then(work);
    lanes[turn] = done.catch(() => {});
    return done;
  }

  function request(enrolmentId: string, offlineReason: StatusReason = 'link'): void {
    const previous = queues.get(enrolmentId) ?? Promise.resolve();
    const next = previous
      .then(() => inLane(() => bringUpToDate(enrolmentId, offlineReason)))
      .catch((error: Error) => {
        log.error({ enrolmentId, error: error.message }, 'status not written');
        unwritten.set(enrolmentId, offlineReason);
      })
      .finally(() => {
        if (queues.get(enrolmentId) === next) queues.delete(enrolmentId);
      });
    queues.set(enrolmentId, next);
  }

  links.onChange((enrolmentId) => request(enrolmentId));
  events.subscribe('enrolmentChanged', ({ enrolmentId }) => request(enrolmentId));

  const report = (error: Error) => log.error({ error: error.message }, 'presence not written');

  function after(milliseconds: number, run: () => void): void {
    timers.push(setTimeout(run, milliseconds).unref());
  }

  /** Those who did not come back after the server's start. */
  async function markLost(): Promise<void> {
    try {
      for (const id of await repository.listOnlineEnrolments()) {
        if (links.get(id) === undefined) request(id, 'server_restart');
      }
    } catch (error) {
      report(error as Error); // of the database's driver
      if (!stopped) after(retryMs, () => void markLost());
    }
  }

  return {
    start() {
      after(startGraceMs, () => void markLost());
      const touch = () => {
        const ids = links.listIds();
        if (ids.length > 0) repository.touch(ids, clock.now()).catch(report);
        // Of two machines with one key, one may be gone by now; no change of a link tells it.
        for (const id of duplicated) request(id);
      };
      const retry = () => {
        const due = [...unwritten];
        unwritten.clear();
        for (const [id, reason] of due) request(id, reason);
      };
      timers.push(setInterval(touch, touchIntervalMs).unref(), setInterval(retry, retryMs).unref());
    },
    async stop() {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(queues.values());
    },
  };
}
