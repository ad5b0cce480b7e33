import type { OrganizationEvent } from '@pult/contract';
import type { FastifyReply } from 'fastify';
import type { Events, EventTopics } from '../../platform/events/events.ts';

/** Who listens, and to what. */
export interface Listener {
  organizationId: string;
  userId: string;
  sessionId: string;
  /** Asked when somebody's access ended, and now and then for what no event tells (an expiry). */
  mayStillListen: () => Promise<boolean>;
}

/** Comments from one look to the next whether a reader may still listen. */
const commentsPerCheck = 4;
/** A reader this far behind is cut, in bytes; it reconnects and reads the lists anew. */
const maxBuffered = 256 * 1024;

/** False for the many ends of access that are surely another's: each look costs two queries. */
function concerns(listener: Listener, ended: EventTopics['accessEnded']): boolean {
  if (ended.controllerId !== undefined) return false;
  return (['userId', 'sessionId', 'organizationId'] as const).every(
    (id) => ended[id] === undefined || ended[id] === listener[id],
  );
}

/** Answers with server-sent events of one organization until the reader leaves, falls behind, or may no more. */
export function sendEventStream(
  reply: FastifyReply,
  events: Events,
  listener: Listener,
  { commentIntervalMs = 15_000 }: { commentIntervalMs?: number | undefined } = {},
): void {
  reply.hijack();
  const { raw } = reply;
  // Whoever left during the look at the database is told of no more: nothing would end the subscriptions.
  if (raw.destroyed) return;
  raw.on('error', () => raw.destroy());
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  const write = (text: string) => {
    if (raw.writableEnded) return;
    raw.write(text);
    if (raw.writableLength > maxBuffered) raw.destroy();
  };
  const check = () => {
    listener.mayStillListen().then(
      (allowed) => allowed || raw.end(),
      () => raw.destroy(),
    );
  };
  write(': connected\n\n');

  let comments = 0;
  const timer = setInterval(() => {
    write(': alive\n\n');
    comments += 1;
    if (comments % commentsPerCheck === 0) check();
  }, commentIntervalMs);
  const sendEvent = (event: OrganizationEvent) => write(`data: ${JSON.stringify(event)}\n\n`);
  const endings = [
    events.subscribe('serverStopping', () => raw.end()),
    events.subscribe('organization', (published) => {
      if (published.organizationId === listener.organizationId) sendEvent(published.event);
    }),
    events.subscribe('accessEnded', (ended) => {
      if (concerns(listener, ended)) check();
    }),
  ];
  raw.on('close', () => {
    clearInterval(timer);
    for (const end of endings) end();
  });
}
