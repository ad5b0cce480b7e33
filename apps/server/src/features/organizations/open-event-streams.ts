import { limits } from '@pult/contract';
import { createScope, type Scope } from '../../platform/access/index.ts';
import { createConcurrencyLimit } from '../../platform/concurrency-limit.ts';
import type { Core } from '../../platform/core.ts';
import { DomainError } from '../../platform/errors.ts';
import { isInScope, type Principal } from '../../platform/http/principal.ts';
import { createId } from '../../platform/ids.ts';
import { createRevalidator } from '../../platform/revalidator.ts';
import type { FeedChange, FeedReader } from './event-feed.ts';
import type { EventStreamGrant, OpenEventStreamsRepository } from './open-event-streams.repository.ts';

export interface OpenStream {
  cut(): void;
  /** They see more or less than before, as members or in part. */
  changePart(isPartial: boolean): void;
}

/** Which changes are told to somebody, as a member or with a part of the organization; undefined: all of them. */
export type ChooseFor = (isPartial: boolean) => FeedReader['choose'];

/** All who listen to events now, so that a stream closes when its access ends. */
export interface OpenEventStreams {
  /** One more of that user; the answer releases it. Throws where they have as many as may be. */
  acquire(userId: string): () => void;
  /** The answer forgets it. */
  add(grant: EventStreamGrant, stream: OpenStream): () => void;
  chooseFor(principal: Principal, organizationId: string): ChooseFor;
  /** How many there are. */
  readonly size: number;
  start(): void;
  stop(): void;
}

/**
 * One look at all of them, at each end of access and every second besides: what ends by another process (a command, a
 * second server) publishes no event here.
 */
export function createOpenEventStreams(
  { clock, events, log }: Pick<Core, 'clock' | 'events' | 'log'>,
  dependencies: {
    repository: OpenEventStreamsRepository;
    checkIntervalMs?: number | undefined;
  },
): OpenEventStreams {
  const { repository, checkIntervalMs = 1_000 } = dependencies;
  const listening = new Map<string, { grant: EventStreamGrant; stream: OpenStream }>();
  const limit = limits.eventStreamsPerUser;
  const ofUsers = createConcurrencyLimit(limit);
  /** What a message shows to people with one and the same part, be they in however many windows. */
  const looks = new WeakMap<readonly FeedChange[], Map<string, Promise<Set<string>>>>();

  const revalidator = createRevalidator({
    async revalidate() {
      if (listening.size === 0) return;
      const grants = new Map([...listening].map(([name, { grant }]) => [name, grant]));
      for (const { name, isEnded, isPartial, part } of await repository.listChanged(grants, clock.now())) {
        const open = listening.get(name);
        if (isEnded) open?.stream.cut();
        else if (open) {
          open.grant = { ...open.grant, isPartial, part };
          open.stream.changePart(isPartial);
        }
      }
    },
    events,
    // That of a device ends no stream.
    concerns: ({ controllerId }) => controllerId === undefined,
    intervalMs: checkIntervalMs,
    onFailure: (error) => log.error({ err: error }, 'streams of events not checked'),
  });

  /** Which of the changes' controllers are in scope: looked up once for a message. */
  function findVisible(all: readonly FeedChange[], scope: Scope, organizationId: string) {
    const found = looks.get(all) ?? new Map<string, Promise<Set<string>>>();
    looks.set(all, found);
    const key = JSON.stringify(scope);
    const visible =
      found.get(key) ??
      repository.listVisible(
        scope,
        organizationId,
        all.flatMap(({ serialNumber }) => serialNumber ?? []),
      );
    found.set(key, visible);
    return visible;
  }

  return {
    acquire(userId) {
      const release = ofUsers.acquire(userId);
      if (!release) throw new DomainError('event_streams_limit_reached', { limit });
      return release;
    },

    add(grant, stream) {
      const name = createId();
      listening.set(name, { grant, stream });
      return () => void listening.delete(name);
    },
    chooseFor(principal, organizationId) {
      // What they have may change while the stream is open.
      const scope = createScope({ ...principal, hasGrants: true }, 'controllers.read');
      const readsTelemetry = isInScope(principal, 'telemetry.read');
      const ofScope = (changes: readonly FeedChange[]) =>
        readsTelemetry ? changes : changes.filter(({ isTelemetry }) => !isTelemetry);
      return (isPartial) => {
        if (!isPartial) return readsTelemetry ? undefined : async (changes) => ofScope(changes);
        return async (all) => {
          // What left the part names nothing that may be told: all is read anew.
          if (all.some(({ isOfTree }) => isOfTree)) return null;
          const visible = await findVisible(all, scope, organizationId);
          return ofScope(all).filter(
            ({ serialNumber }) => serialNumber === undefined || visible.has(serialNumber),
          );
        };
      };
    },
    get size() {
      return listening.size;
    },
    start: revalidator.start,
    stop: revalidator.stop,
  };
}
