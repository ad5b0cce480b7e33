import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Tracing, traceWork } from '../../tracing/tracing.ts';
import type { ProxyPolicy } from './policy.ts';

export type Forward = (
  request: IncomingMessage,
  response: ServerResponse,
  policy: ProxyPolicy,
) => Promise<void>;
type ForwardUpgrade = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  policy: ProxyPolicy,
) => Promise<void>;

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Anybody may send any word as one. */
const nameOf = ({ method = '' }: IncomingMessage) => (methods.has(method) ? method : '_OTHER');

/** A trace of each request through a tunnel, until its answer has ended: never with a path, which is the other side's own. */
export function traceForward(tracing: Tracing, forward: Forward): Forward {
  if (!tracing.isOn) return forward;
  return (request, response, policy) => {
    const method = nameOf(request);
    const opening = { name: `${method} tunnel`, attributes: { 'http.request.method': method } };
    return tracing.begin(opening, async (span) => {
      response.once('close', () => {
        span.set({ 'http.response.status_code': response.statusCode });
        span.end();
      });
      await forward(request, response, policy);
    });
  };
}

/** The same of a WebSocket, until it is there. */
export function traceForwardUpgrade(tracing: Tracing, forward: ForwardUpgrade): ForwardUpgrade {
  const opening = { name: 'UPGRADE tunnel', attributes: {} };
  return (...upgrade) => traceWork(tracing, opening, () => forward(...upgrade));
}
