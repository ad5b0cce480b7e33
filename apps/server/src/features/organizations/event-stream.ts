import type { FastifyReply } from 'fastify';
import type { Events, EventTopics } from '../../platform/events/events.ts';
import { createRevalidator } from '../../platform/revalidator.ts';
import type { EventFeeds } from './event-feed.ts';

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
/** A reader that has taken nothing from one comment to the next so many times is gone, or as good as. */
const commentsUntilCut = 2;

/** False for the many ends of access that are surely another's: each look costs two queries. */
function concerns(listener: Listener, ended: EventTopics['accessEnded']): boolean {
  if (ended.controllerId !== undefined) return false;
  return (['userId', 'sessionId', 'organizationId'] as const).every(
    (id) => ended[id] === undefined || ended[id] === listener[id],
  );
}

/**
 * Answers with server-sent events of one organization until the reader leaves, stands still, or may no more. A slow one
 * gets what it can take; of the rest it is told that there was some.
 */
export function sendEventStream(
  reply: FastifyReply,
  { events, feeds }: { events: Events; feeds: EventFeeds },
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
  const isReady = () => !raw.writableNeedDrain;
  const write = (text: Buffer | string) => {
    if (!raw.writableEnded) raw.write(text);
  };
  const revalidator = createRevalidator({
    async revalidate() {
      if (!(await listener.mayStillListen())) raw.end();
    },
    events,
    concerns: (ended) => concerns(listener, ended),
    intervalMs: commentsPerCheck * commentIntervalMs,
    onFailure: () => raw.destroy(),
  });
  write(': connected\n\n');

  let unread = 0;
  const timer = setInterval(() => {
    unread = isReady() ? 0 : unread + 1;
    if (unread === commentsUntilCut) return void raw.destroy();
    if (unread === 0) write(': alive\n\n');
  }, commentIntervalMs);
  const feed = feeds.subscribe(listener.organizationId, { isReady, write });
  raw.on('drain', () => {
    unread = 0;
    feed.catchUp();
  });
  revalidator.start();
  const endings = [
    () => feed.end(),
    events.subscribe('serverStopping', () => raw.end()),
    () => revalidator.stop(),
  ];
  raw.on('close', () => {
    clearInterval(timer);
    for (const end of endings) end();
  });
}
