import {
  type Agent,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { type Duplex, pipeline } from 'node:stream';
import { joinStreams } from '@pult/link';
import { refuseUpgrade } from '../../../platform/http/refuse-upgrade.ts';
import { type HeaderRules, toBrowser, toGrafana } from './grafana-headers.ts';

/** Grafana itself gives up a query after 30 s, unless it is set otherwise. */
const answerTimeoutMs = 120_000;

/**
 * Pipes one request to Grafana and its answer back. `onFailure` is called while nothing of an answer
 * is out; a failure later cuts the browser's connection, so that no one takes half an answer for a whole one.
 */
export function proxyToGrafana(
  request: IncomingMessage,
  response: ServerResponse,
  { agent, rules }: { agent: Agent; rules: HeaderRules },
  onFailure: (error: Error) => void,
): void {
  /** An answer is out, or there will be none. */
  let isOver = false;

  function fail(error: Error): void {
    clearTimeout(timer);
    if (isOver) return;
    isOver = true;
    // What is left of a body has nowhere to go; unread, it would keep the browser from reading the page.
    request.unpipe();
    request.resume();
    if (response.headersSent) response.destroy();
    else if (!response.destroyed) onFailure(error);
  }

  const outgoing = httpRequest({
    agent,
    method: request.method,
    path: request.url,
    headers: toGrafana(request, rules),
    setHost: false,
  });
  const timer = setTimeout(() => outgoing.destroy(new Error('no answer')), answerTimeoutMs);
  outgoing.on('error', fail);
  // An unasked 101 ends the request without an error.
  outgoing.on('close', () => fail(new Error('closed without an answer')));
  outgoing.on('response', (incoming) => {
    clearTimeout(timer);
    try {
      response.sendDate = false;
      response.writeHead(incoming.statusCode ?? 502, toBrowser(incoming, rules));
      isOver = true;
    } catch (error) {
      // A status or a header that HTTP does not know.
      outgoing.destroy();
      return fail(error as Error); // writeHead throws nothing else
    }
    pipeline(incoming, response, (error) => {
      if (error) response.destroy();
    });
  });
  // The browser left: Grafana need not go on.
  response.on('close', () => {
    clearTimeout(timer);
    if (!response.writableFinished) outgoing.destroy();
  });
  request.pipe(outgoing);
}

/** Pipes a WebSocket to Grafana over a connection of its own, and after Grafana's 101 the bytes both ways. */
export function proxyUpgradeToGrafana(
  request: IncomingMessage,
  socket: Duplex,
  early: Buffer,
  { connection, rules }: { connection: Duplex; rules: HeaderRules },
): void {
  const upgrade = ['Connection', 'Upgrade', 'Upgrade', request.headers.upgrade ?? 'websocket'];
  connection.on('error', () => {
    // Told by the request while it lives, and by the connection's end afterwards.
  });
  const outgoing = httpRequest({
    createConnection: () => connection,
    method: request.method,
    path: request.url,
    headers: [...toGrafana(request, rules), ...upgrade],
    setHost: false,
  });
  const timer = setTimeout(() => outgoing.destroy(new Error('no answer')), answerTimeoutMs);
  let isAnswered = false;

  function refuse(status: number): void {
    clearTimeout(timer);
    if (!isAnswered) refuseUpgrade(socket, status);
    isAnswered = true;
    connection.destroy();
  }

  outgoing.on('upgrade', (incoming, _, first) => {
    clearTimeout(timer);
    isAnswered = true;
    const headers = [...toBrowser(incoming, rules), ...upgrade];
    let head = `HTTP/1.1 101 ${STATUS_CODES[101]}\r\n`;
    for (let index = 0; index + 1 < headers.length; index += 2) {
      head += `${headers[index]}: ${headers[index + 1]}\r\n`;
    }
    // Header values are bytes that Node reads as latin1.
    socket.write(`${head}\r\n`, 'latin1');
    if (first.length > 0) socket.write(first);
    if (early.length > 0) connection.write(early);
    joinStreams(socket, connection);
  });
  outgoing.on('response', (incoming) => {
    incoming.resume();
    refuse(incoming.statusCode ?? 502);
  });
  outgoing.on('error', () => refuse(502));
  socket.on('close', () => {
    clearTimeout(timer);
    outgoing.destroy();
    connection.destroy();
  });
  outgoing.end();
}
