import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../../platform/clock.ts';
import type { Events } from '../../../platform/events/events.ts';
import type {
  AnswerCache,
  CacheExchange,
  KeptAnswer,
} from '../../../platform/http/reverse-proxy/answer-cache.ts';
import type { RawHeaders } from '../../../platform/http/reverse-proxy/headers.ts';
import type { TunnelAccess } from '../tunnels.repository.ts';
import { createAnswerStore, type Entry, type Resource, storeLimits } from './answer-store.ts';
import { BodyCopy } from './body-copy.ts';
import { type CacheRequest, readCacheRequest } from './cache-request.ts';
import { createCacheRules, type KeptHead } from './cache-rules.ts';

type CachedAccess = Pick<
  TunnelAccess,
  'organizationId' | 'controllerId' | 'enrolmentId' | 'port' | 'scheme' | 'isWebCacheEnabled'
>;

/** Answers of devices' web interfaces, kept for the next person who asks for them. */
export interface WebCache {
  /** Undefined where nothing is kept of that device. */
  cacheFor(access: CachedAccess): AnswerCache | undefined;
  /** Forgets what was kept of a claim when that ends, or its switch is turned. The answer ends that. */
  start(): () => void;
}

/** Nothing happens by them (RFC 9110, section 9.2.1): what is kept stays. */
const safe = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Answers to anybody, which tell that what was kept is old. */
const superseding = new Set<number | undefined>([200, 404, 410]);

const none: WebCache = { cacheFor: () => undefined, start: () => () => {} };

/**
 * `maxBytes`: of all that it holds; 0 for no cache. `onSaved`: bytes of a body that a person got and that did not come
 * from the device.
 */
export function createWebCache({
  maxBytes,
  events,
  clock,
  onSaved,
}: {
  maxBytes: number;
  events: Events;
  clock: Clock;
  onSaved: (controllerId: string, bytes: number) => void;
}): WebCache {
  if (maxBytes === 0) return none;
  const store = createAnswerStore(storeLimits(maxBytes));
  const rules = createCacheRules(clock);

  function give(resource: Resource, entry: Entry, headers: RawHeaders): KeptAnswer {
    const { body } = entry;
    return {
      headers,
      body,
      isKept: () => entry.isKept,
      onSent: () => onSaved(resource.claim.controllerId, body.length),
    };
  }

  /** Copies a body as it passes, and keeps it once it is whole. */
  function copy(
    resource: Resource,
    { codings }: CacheRequest,
    head: KeptHead,
    answer: IncomingMessage,
    isClean: () => boolean,
  ): void {
    if (Number(answer.headers['content-length'] ?? 0) > store.limits.perAnswer) return;
    const body = new BodyCopy(store, resource.claim);
    answer.on('data', (chunk: Buffer) => body.add(chunk));
    // A browser that leaves ends it too, when the device has sent all and not all of it has passed.
    answer.once('end', () => {
      if (!isClean()) return store.delete(resource);
      const whole = answer.complete ? body.take() : undefined;
      if (whole) store.set(resource, codings, { head, body: whole });
    });
    answer.once('close', () => body.giveUp());
  }

  /** What changes something makes what is kept of the same address doubtful (RFC 9111, section 4.4). */
  function invalidating(resource: Resource): CacheExchange {
    return {
      condition: [],
      take({ statusCode = 500 }) {
        if (statusCode < 400) store.delete(resource);
        return undefined;
      },
    };
  }

  function begin(resource: Resource, request: CacheRequest): CacheExchange {
    const entry = store.get(resource, request.codings);
    if (entry && rules.isFresh(entry.head, request)) {
      return {
        fresh: give(resource, entry, rules.withAge(entry.head)),
        condition: [],
        take: () => undefined,
      };
    }
    const asked = entry && rules.mayConfirm(entry.head, request) ? entry : undefined;
    return {
      condition: asked?.head.etag === undefined ? [] : ['If-None-Match', asked.head.etag],
      take(answer, headers, isClean) {
        if (answer.statusCode === 304) {
          if (!asked) return undefined;
          if (!isClean()) return 'unconfirmed';
          if (!rules.isConfirmed(asked.head, answer)) {
            store.delete(resource);
            return 'unconfirmed';
          }
          const { headers: given, next } = rules.refresh(asked.head, request, answer, headers);
          // Somebody else may have put another one in its place meanwhile.
          if (!asked.isKept) return give(resource, asked, given);
          if (!next) store.delete(resource);
          const { body } = asked;
          const kept = next ? store.set(resource, request.codings, { head: next, body }) : asked;
          return give(resource, kept, given);
        }
        const head = isClean() ? rules.keepNew(request, answer, headers) : undefined;
        if (head) copy(resource, request, head, answer, isClean);
        // What it says now is not to be kept, or is not there: nor is what it said before.
        else if (request.method === 'GET' && superseding.has(answer.statusCode)) store.delete(resource);
        return undefined;
      },
    };
  }

  return {
    cacheFor(access) {
      if (!access.isWebCacheEnabled) return undefined;
      return (incoming, headers) => {
        const request = readCacheRequest(incoming, headers);
        if (!request) return undefined;
        const { port, scheme } = access;
        const name = `${port ?? ''}\n${scheme ?? ''}\n${request.host}\n${request.path}`;
        const resource = { claim: store.claim(access), name };
        if (!safe.has(request.method)) return invalidating(resource);
        return request.method === 'GET' || request.method === 'HEAD' ? begin(resource, request) : undefined;
      };
    },
    start() {
      const ends = [
        events.subscribe('webCacheSwitched', ({ controllerId }) => {
          store.end((claim) => claim.controllerId === controllerId);
        }),
        events.subscribe('eventsMissed', () => store.end(() => true)),
        events.subscribe('accessEnded', ({ userId, sessionId, organizationId, controllerId }) => {
          // What ends for one person leaves the device as it is.
          if (userId !== undefined || sessionId !== undefined) return;
          store.end((claim) =>
            controllerId === undefined
              ? claim.organizationId === organizationId
              : claim.controllerId === controllerId,
          );
        }),
      ];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}
