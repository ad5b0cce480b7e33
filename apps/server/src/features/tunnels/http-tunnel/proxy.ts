import { type Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { ServiceError } from '@pult/link';
import { type ForwardedBy, requestHeaders, responseHeaders } from './headers.ts';

export interface ProxyTarget {
  agent: Agent;
  forwardedBy: ForwardedBy;
  tunnelOrigin: string;
  isOwnCookie: (name: string) => boolean;
  /** How long the device's web server may be silent before it answers, in milliseconds. */
  answerTimeoutMs: number;
}

/** Only these may be sent twice: nothing happens by them (RFC 9110, section 9.2.2), and they carry no body. */
function isRepeatable(request: IncomingMessage): boolean {
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  return !hasBody && (request.method === 'GET' || request.method === 'HEAD');
}

/**
 * Carries one request to the device and its answer back, streaming both. Calls `fail` only while nothing of the
 * answer is out; later a failure cuts the connection, so that no one takes half an answer for a whole one.
 */
export function proxyRequest(
  request: IncomingMessage,
  response: ServerResponse,
  target: ProxyTarget,
  fail: (error: Error) => void,
): void {
  let answered = false;
  const outgoing = httpRequest({
    agent: target.agent,
    method: request.method,
    path: request.url,
    headers: requestHeaders(request, target.forwardedBy, target.isOwnCookie),
    setHost: false,
  });

  const timer = setTimeout(
    () => outgoing.destroy(new ServiceError('service_timeout', 'no answer')),
    target.answerTimeoutMs,
  );

  outgoing.on('response', (incoming) => {
    answered = true;
    clearTimeout(timer);
    response.sendDate = false;
    response.writeHead(
      incoming.statusCode ?? 502,
      incoming.statusMessage,
      responseHeaders(incoming, target.tunnelOrigin, target.isOwnCookie),
    );
    response.flushHeaders();
    pipeline(incoming, response, (error) => {
      if (error) response.destroy();
    });
  });

  outgoing.on('error', (error: NodeJS.ErrnoException) => {
    clearTimeout(timer);
    if (answered) return;
    answered = true;
    // The device closed an idle connection just as we took it from the pool: not a failure, a race.
    if (outgoing.reusedSocket && isRepeatable(request) && !response.destroyed) {
      proxyRequest(request, response, target, fail);
      return;
    }
    fail(error);
  });

  // The browser left: the device need not go on.
  response.on('close', () => {
    clearTimeout(timer);
    if (!response.writableFinished) outgoing.destroy();
  });

  pipeline(request, outgoing, () => {
    // Each side's own error handler tells what went wrong.
  });
}
