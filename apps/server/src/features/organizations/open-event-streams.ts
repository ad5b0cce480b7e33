import type { Clock } from '../../platform/clock.ts';
import type { Events } from '../../platform/events/events.ts';
import { createId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/log.ts';
import { createRevalidator } from '../../platform/revalidator.ts';
import type { EventStreamGrant, OpenEventStreamsRepository } from './open-event-streams.repository.ts';

/** All who listen to events now, so that a stream closes when its access ends. */
export interface OpenEventStreams {
  /** `cut` ends the stream. The answer forgets it. */
  add(grant: EventStreamGrant, cut: () => void): () => void;
  /** How many there are. */
  readonly size: number;
  start(): void;
  stop(): void;
}

/**
 * One look at all of them, at each end of access and every second besides: what ends by another process (a command, a
 * second server) publishes no event here.
 */
export function createOpenEventStreams(dependencies: {
  repository: OpenEventStreamsRepository;
  events: Events;
  log: Logger;
  clock: Clock;
  checkIntervalMs?: number | undefined;
}): OpenEventStreams {
  const { repository, events, log, clock, checkIntervalMs = 1_000 } = dependencies;
  const listening = new Map<string, { grant: EventStreamGrant; cut: () => void }>();

  const revalidator = createRevalidator({
    async revalidate() {
      if (listening.size === 0) return;
      const grants = new Map([...listening].map(([name, { grant }]) => [name, grant]));
      for (const name of await repository.listEnded(grants, clock.now())) listening.get(name)?.cut();
    },
    events,
    // That of a device ends no stream.
    concerns: ({ controllerId }) => controllerId === undefined,
    intervalMs: checkIntervalMs,
    onFailure: (error) => log.error({ err: error }, 'streams of events not checked'),
  });

  return {
    add(grant, cut) {
      const name = createId();
      listening.set(name, { grant, cut });
      return () => void listening.delete(name);
    },
    get size() {
      return listening.size;
    },
    start: revalidator.start,
    stop: revalidator.stop,
  };
}
