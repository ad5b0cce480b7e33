import { once } from 'node:events';
import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { connect as connectTcp } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { LINK_PATH, LINK_PROTOCOL, LINK_SUBPROTOCOL, type LinkTransport } from '@pult/link';
import { type Random, randomBytes } from '@pult/link/testing';
import { connectLink, type LinkSocket, TRANSPORT_FILE } from '../../apps/agent/src/link/connect-link.ts';
import { createBenchIdentity } from '../links/device-keys.ts';
import { mutate, pick } from './generate.ts';

export interface Target {
  serverUrl: string;
  /** PEM, where the server speaks TLS. */
  ca: string | undefined;
  transport: LinkTransport;
}

/** Links as an agent does, and asks to go on with that session. */
export function link(target: Target, device: number, session: string): Promise<LinkSocket> {
  const { serverUrl, ca, transport } = target;
  const identity = { serverUrl, ...createBenchIdentity(device) };
  return connectLink(identity, {
    state: {
      path: '',
      read: (name) => (name === TRANSPORT_FILE ? { serverUrl, transport } : undefined),
      write: () => {},
      remove: () => {},
    },
    log: () => {},
    ca,
    createAgent: () => (ca ? new HttpsAgent({ ca, maxSockets: 1 }) : new HttpAgent({ maxSockets: 1 })),
    timeoutMs: 10_000,
    signal: new AbortController().signal,
    session,
  });
}

async function connectBare({ serverUrl, ca }: Target): Promise<Duplex> {
  const { hostname, port } = new URL(serverUrl);
  const where = { host: hostname, port: Number(port) };
  const socket = ca ? connectTls({ ...where, ca }) : connectTcp(where);
  socket.on('error', () => {});
  await once(socket, ca ? 'secureConnect' : 'connect');
  return socket;
}

/** A handshake that is turned, cut, in single bytes, or followed by frames of a WebSocket that nobody would send. */
export async function shakeHands(target: Target, device: number, random: Random): Promise<void> {
  if (target.ca && random(4) === 0) return sendBrokenTls(target, random);
  const socket = await connectBare(target);
  socket.resume();
  const { host } = new URL(target.serverUrl);
  const { serialNumber } = createBenchIdentity(device);
  const isWebSocket = target.transport === 'websocket';
  const head = [
    `GET ${pick(random, [LINK_PATH, LINK_PATH, '/api-agent/v1/challenge/', `${LINK_PATH}?x=${'y'.repeat(random(9_000))}`])} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: ${pick(random, [`Pult serial=${serialNumber}`, 'Bearer x', '', 'x'.repeat(random(9_000))])}`,
    'Connection: Upgrade',
    `Upgrade: ${isWebSocket ? 'websocket' : LINK_PROTOCOL}`,
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    `Sec-WebSocket-Protocol: ${LINK_SUBPROTOCOL}`,
    `Pult-Session: ${pick(random, ['new', 'x 1', `${'A'.repeat(22)} 99999999999`, '\u00ff'])}`,
  ];
  const text = Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1');
  const bytes = random(2) === 0 ? mutate(random, text) : text;
  const cut = random(3) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes;
  if (random(4) === 0) for (const byte of cut.subarray(0, 600)) socket.write(Buffer.from([byte]));
  else socket.write(Buffer.concat([cut, randomBytes(random, random(100))]));
  if (random(2) === 0) socket.end();
  await Promise.race([once(socket, 'close'), wait(200 + random(300))]);
  socket.destroy();
}

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Bytes that OpenSSL gets in the place of its own. */
async function sendBrokenTls({ serverUrl }: Target, random: Random): Promise<void> {
  const { hostname, port } = new URL(serverUrl);
  const socket = connectTcp({ host: hostname, port: Number(port) });
  socket.on('error', () => {});
  await once(socket, 'connect');
  const begin = pick(random, [[22, 3, 1], [22, 3, 3], [21, 3, 3], [23, 3, 3], [20, 3, 3], []]);
  socket.end(Buffer.concat([Buffer.from(begin), randomBytes(random, random(400))]));
  socket.resume();
  await Promise.race([once(socket, 'close'), wait(300)]);
  socket.destroy();
}

/** A body of a challenge or an enrolment. */
export async function callBadly(target: Target, random: Random): Promise<number> {
  const { hostname, port } = new URL(target.serverUrl);
  const body = mutate(random, Buffer.from(JSON.stringify({ serialNumber: 'LINK000001', publicKey: 'x' })));
  const request = requestHttp({
    host: hostname,
    port,
    method: 'POST',
    path: pick(random, ['/api-agent/v1/challenge/', '/api-agent/v1/enroll/']),
    headers: { 'content-type': pick(random, ['application/json', 'text/plain', '']) },
    agent: false,
  });
  request.end(body);
  const [response] = await once(request, 'response');
  response.resume();
  await once(response, 'close');
  return response.statusCode;
}
