import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { testCertificate, testPrivateKey } from '@pult/testkit/certificates';
import { createHostServer, type HostServer, type HostServerOptions } from '../host-server.ts';

let hostServer: HostServer | undefined;
const sessions: ClientHttp2Session[] = [];

/** Ends what was started and opened since. */
export async function stop(): Promise<void> {
  for (const session of sessions.splice(0)) session.destroy();
  if (!hostServer) return;
  const closed = once(hostServer.server, 'close');
  hostServer.server.close();
  hostServer.cutAll();
  await closed;
  hostServer = undefined;
}

/** A host server with HTTP/2 and nothing but a handler. */
export async function start(
  handler: Parameters<typeof createHostServer>[0],
  options: Partial<HostServerOptions> = {},
): Promise<HostServer & { port: number }> {
  const started = createHostServer(handler, {
    tls: { cert: testCertificate, key: testPrivateKey },
    http2: true,
    hosts: [],
    upgrades: [],
    ...options,
  });
  hostServer = started;
  started.server.listen(0, '127.0.0.1');
  await once(started.server, 'listening');
  return { ...started, port: (started.server.address() as AddressInfo).port };
}

export function open(port: number): ClientHttp2Session {
  const session = connect(`https://localhost:${port}`, { ca: testCertificate });
  session.on('error', () => {});
  sessions.push(session);
  return session;
}

/** For a client that is no browser. */
export const tlsOptions = { host: '127.0.0.1', servername: 'localhost', ca: testCertificate };

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

export async function read(stream: ClientHttp2Stream): Promise<Answer> {
  const [headers] = await once(stream, 'response');
  return { status: headers[':status'], headers, body: await text(stream) };
}

export async function ask(
  session: ClientHttp2Session,
  headers: Record<string, string | string[]> = {},
  body?: string,
): Promise<Answer> {
  const stream = session.request(headers, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  return read(stream);
}
