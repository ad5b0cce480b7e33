import type { FastifyReply } from 'fastify';
import type { Events } from '../../platform/events/events.ts';
import type { EventFeeds, FeedSubscription } from './event-feed.ts';
import type { EventStreamGrant } from './open-event-streams.repository.ts';
import type { ChooseFor, OpenEventStreams } from './open-event-streams.ts';

/** Who listens, and to what. */
export interface Listener extends EventStreamGrant {
  /** Whether what the request was made with is still good, and so in use: of a token the end is nowhere but in itself. */
  isAuthenticated: () => Promise<boolean>;
  chooseFor: ChooseFor;
}

/** Comments from one such look to the next. */
const commentsPerLook = 4;
/** A reader that has taken nothing from one comment to the next so many times is gone, or as good as. */
const commentsUntilCut = 2;

/**
 * Answers with server-sent events of one organization until the reader leaves, stands still, or may no more. A slow one
 * gets what it can take; of the rest it is told that there was some. Throws where they have as many as may be.
 */
export function sendEventStream(
  reply: FastifyReply,
  { events, feeds, openStreams }: { events: Events; feeds: EventFeeds; openStreams: OpenEventStreams },
  listener: Listener,
  {
    commentIntervalMs = 15_000,
    leavingMs = 0,
  }: {
    commentIntervalMs?: number | undefined;
    /** At its stop the server ends its streams spread over so long: each reader reads all anew from another node. */
    leavingMs?: number;
  } = {},
): void {
  const { raw } = reply;
  // Whoever left during the look at the database is told of no more: nothing would end the subscriptions.
  const release = raw.destroyed ? undefined : openStreams.acquire(listener.userId);
  reply.hijack();
  if (!release) return;
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
  const look = () =>
    listener.isAuthenticated().then(
      (isAuthenticated) => {
        if (!isAuthenticated) raw.end();
      },
      () => raw.destroy(),
    );
  write(': connected\n\n');

  let unread = 0;
  let comments = 0;
  const timer = setInterval(() => {
    comments += 1;
    if (comments % commentsPerLook === 0) void look();
    unread = isReady() ? 0 : unread + 1;
    if (unread === commentsUntilCut) return void raw.destroy();
    if (unread === 0) write(': alive\n\n');
  }, commentIntervalMs);
  let feed: FeedSubscription;
  const subscribe = (isPartial: boolean) => {
    const choose = listener.chooseFor(isPartial);
    feed = feeds.subscribe(listener.organizationId, { isReady, write, ...(choose ? { choose } : {}) });
  };
  subscribe(listener.isPartial);
  raw.on('drain', () => {
    unread = 0;
    feed.catchUp();
  });
  const endings = [
    release,
    () => feed.end(),
    events.subscribe('serverStopping', () => {
      if (leavingMs === 0) raw.end();
      else setTimeout(() => raw.end(), Math.random() * leavingMs);
    }),
    openStreams.add(listener, {
      cut: () => raw.end(),
      changePart(isPartial) {
        feed.end();
        subscribe(isPartial);
        feed.startAnew();
      },
    }),
  ];
  raw.on('close', () => {
    clearInterval(timer);
    for (const end of endings) end();
  });
}
