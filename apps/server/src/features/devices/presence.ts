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
  startGraceMs?: number;
  touchIntervalMs?: number;
}

export interface Presence {
  start(): void;
  /** From now on links that end say nothing about their devices: the server is leaving, not they. */
  stop(): Promise<void>;
}

/**
 * Keeps each controller's status true to its link. Whatever happens (link, loss, claim) only asks for the
 * status to be brought up to date; it is computed when its turn comes, so late writes cannot undo newer ones.
 */
export function createPresence(dependencies: Dependencies): Presence {
  const { repository, links, events, log, clock } = dependencies;
  const { startGraceMs = 90_000, touchIntervalMs = 60_000 } = dependencies;
  const queues = new Map<string, Promise<void>>();
  const timers: NodeJS.Timeout[] = [];
  let stopped = false;

  async function bringUpToDate(enrolmentId: string, offlineReason: StatusReason): Promise<void> {
    if (stopped) return;
    const linked = links.get(enrolmentId) !== undefined;
    const reason = linked ? (links.isDuplicated(enrolmentId) ? 'duplicate_identity' : 'link') : offlineReason;
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

  function request(enrolmentId: string, offlineReason: StatusReason = 'link'): void {
    const previous = queues.get(enrolmentId) ?? Promise.resolve();
    const next = previous
      .then(() => bringUpToDate(enrolmentId, offlineReason))
      .catch((error: Error) => log.error({ enrolmentId, error: error.message }, 'status not written'))
      .finally(() => {
        if (queues.get(enrolmentId) === next) queues.delete(enrolmentId);
      });
    queues.set(enrolmentId, next);
  }

  links.onChange((enrolmentId) => request(enrolmentId));
  events.subscribe('enrolmentChanged', ({ enrolmentId }) => request(enrolmentId));

  async function markLost(): Promise<void> {
    for (const id of await repository.listOnlineEnrolments()) {
      if (links.get(id) === undefined) request(id, 'server_restart');
    }
  }

  const report = (error: Error) => log.error({ error: error.message }, 'presence not written');

  return {
    start() {
      timers.push(setTimeout(() => void markLost().catch(report), startGraceMs));
      const touch = () => {
        const ids = links.listIds();
        if (ids.length > 0) repository.touch(ids, clock.now()).catch(report);
      };
      timers.push(setInterval(touch, touchIntervalMs));
      for (const timer of timers) timer.unref();
    },
    async stop() {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(queues.values());
    },
  };
}
