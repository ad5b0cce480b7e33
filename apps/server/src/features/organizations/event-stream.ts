import type { OrganizationEvent } from '@pult/contract';
import type { FastifyReply } from 'fastify';
import type { Events } from '../../platform/events/events.ts';

const commentInterval = 15_000;
/** A reader this far behind is cut; it reconnects and reads the lists anew. */
const maxBuffered = 256 * 1024;

/**
 * Answers with server-sent events of one organization until the reader leaves, falls behind, or
 * `mayStillListen` says no after somebody's access ended.
 */
export function sendEventStream(
  reply: FastifyReply,
  events: Events,
  organizationId: string,
  mayStillListen: () => Promise<boolean>,
): void {
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  const write = (text: string) => {
    raw.write(text);
    if (raw.writableLength > maxBuffered) raw.destroy();
  };
  write(': connected\n\n');

  const timer = setInterval(() => write(': alive\n\n'), commentInterval);
  const sendEvent = (event: OrganizationEvent) => write(`data: ${JSON.stringify(event)}\n\n`);
  const endings = [
    events.subscribe('serverStopping', () => raw.end()),
    events.subscribe('organization', (published) => {
      if (published.organizationId === organizationId) sendEvent(published.event);
    }),
    events.subscribe('accessEnded', () => {
      mayStillListen().then(
        (allowed) => allowed || raw.end(),
        () => raw.destroy(),
      );
    }),
  ];
  raw.on('close', () => {
    clearInterval(timer);
    for (const end of endings) end();
  });
  raw.on('error', () => raw.destroy());
}
