import { Agent as HttpAgent, type IncomingMessage, request as requestHttp, STATUS_CODES } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import type { Config } from '../config/settings.ts';

/** What stands between here and the server does not let the agent through. */
class ProxyError extends Error {
  override readonly name = 'ProxyError';
}

/** Where a request is going; the rest is for TLS. */
type Target = ConnectionOptions & { host: string; port: string | number };
type Done = (error: Error | null, socket?: Duplex) => void;

/**
 * Makes what connects to the server, through the proxy if there is one. What is asked by one agent goes over one
 * connection: for a fleet that comes back, connections and their TLS are what costs most. TLS goes on with the session
 * of the connection before, which spares both ends the certificates.
 */
export function createServerAgents(
  { server, proxy, ca }: Pick<Config, 'server' | 'proxy' | 'ca'>,
  timeoutMs: number,
): () => HttpAgent {
  const isSecure = server.startsWith('https:');
  const createAgent = () => {
    // What becomes a link keeps the interval: Node's own, of one second, would be most of an idle link's traffic.
    const options = { keepAlive: true, keepAliveMsecs: 30_000, maxSockets: 1 };
    return isSecure ? new HttpsAgent(options) : new HttpAgent(options);
  };
  const secure = createSecuring();
  if (!proxy)
    return isSecure ? () => Object.assign(createAgent(), { createConnection: secure }) : createAgent;
  // Before the call's own time is over, so that it is the proxy that is named.
  const line = { proxy, ca, timeoutMs: timeoutMs * 0.8 };
  const createConnection = (target: Target, done: Done) => {
    openLine(line, `${bracket(target.host)}:${target.port}`).then(
      // TLS goes from here to the server: the proxy passes bytes that it cannot read.
      (socket) => done(null, isSecure ? secure({ ...target, socket }) : socket),
      (error: Error) => done(error),
    );
  };
  return () => Object.assign(createAgent(), { createConnection });
}

/** TLS whose connections know the session of the newest one; Node's agents know those of their own alone. */
function createSecuring(): (target: ConnectionOptions) => TLSSocket {
  let session: Buffer | undefined;
  return (target) => {
    const socket = connectTls({ ...target, session, ALPNProtocols: ['http/1.1'] });
    socket.on('session', (next) => {
      session = next;
    });
    return socket;
  };
}

interface Line {
  proxy: URL;
  ca: string | undefined;
  timeoutMs: number;
}

/** A connection to `authority` by CONNECT. Rejects with `ProxyError`, which says what to do. */
export function openLine({ proxy, ca, timeoutMs }: Line, authority: string): Promise<Socket> {
  const { host: name, protocol, hostname, port, username, password } = proxy;
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const options = {
    method: 'CONNECT',
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port || (protocol === 'https:' ? 443 : 80),
    path: authority,
    agent: false as const,
    headers: {
      Host: authority,
      ...(username ? { 'Proxy-Authorization': `Basic ${Buffer.from(login).toString('base64')}` } : {}),
    },
  };
  return new Promise((resolve, reject) => {
    const request =
      protocol === 'https:' ? requestHttps({ ...options, ...(ca ? { ca } : {}) }) : requestHttp(options);
    const fail = (message: string) => {
      clearTimeout(timer);
      reject(new ProxyError(message));
      request.destroy();
    };
    const timer = setTimeout(() => fail(`the proxy ${name} does not answer`), timeoutMs);
    request.on('error', (error) => fail(`the proxy ${name} cannot be reached (${error.message})`));
    // An answer of any status: after CONNECT none has a body that belongs to HTTP.
    request.on('connect', (response: IncomingMessage, socket: Socket, head: Buffer) => {
      socket.on('error', () => {});
      const status = response.statusCode ?? 0;
      if (status < 200 || status > 299) {
        socket.destroy();
        fail(describeRefusal(name, status, authority, username !== ''));
        return;
      }
      clearTimeout(timer);
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    request.end();
  });
}

function describeRefusal(name: string, status: number, authority: string, hasLogin: boolean): string {
  if (status !== 407) {
    const words = STATUS_CODES[status];
    return `the proxy ${name} does not connect to ${authority}: it answers ${status}${words ? ` ${words}` : ''}`;
  }
  return hasLogin
    ? `the proxy ${name} does not accept this user and password (407)`
    : `the proxy ${name} asks for a login (407): give it as http://user:password@${name}`;
}

function bracket(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
