import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { createWebSocketStream, WebSocket } from 'ws';
import { FrpClient } from '../frp-client/index.ts';
import type { DeviceCertificate } from './device-certificates.ts';

export interface AgentAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Of an answer without one: an empty text. */
  text: string;
  /** The parsed text; undefined where that is no JSON. */
  body: unknown;
}

export interface AgentCallOptions {
  body?: string | Buffer;
  headers?: Record<string, string>;
  /** Instead of the device's own; null for none. */
  certificate?: DeviceCertificate | null;
  host?: string;
  serverName?: string;
}

export interface WirenBoardServer {
  port: number;
  /** TLS ends at the server; otherwise calls come as from a proxy before it, which vouches for the certificate by `proxySecret`. */
  isTls: boolean;
  proxySecret?: string;
}

export interface EventBody {
  id: string;
  code: string;
  payload: Readonly<Record<string, unknown>>;
}

/** A controller with the vendor's agent and frpc, as far as a server sees of it: each call over a connection of its own. */
export class WirenBoardDevice {
  readonly serialNumber: string;
  readonly #server: WirenBoardServer;
  readonly certificate: DeviceCertificate;
  /** What it shows; null while it is claimed, "unknown" once it was told a tunnel. */
  activationLink: string | null = null;
  /** Of frpc, as it was told last. */
  tunnelConfig: Readonly<Record<string, string>> | undefined;
  /** Codes of the events that it has confirmed. */
  readonly confirmed: string[] = [];

  constructor(serialNumber: string, certificate: DeviceCertificate, server: WirenBoardServer) {
    this.serialNumber = serialNumber;
    this.certificate = certificate;
    this.#server = server;
  }

  /** One call, as one curl would make it. */
  async call(method: string, path: string, options: AgentCallOptions = {}): Promise<AgentAnswer> {
    const { port, isTls, proxySecret } = this.#server;
    const certificate = options.certificate === undefined ? this.certificate : options.certificate;
    const common = {
      method,
      port,
      host: '127.0.0.1',
      path: `/api-agent/v1/${path}`,
      agent: false as const,
      headers: { host: `${options.host ?? 'agent.localhost'}:${port}`, ...options.headers },
    };
    const request = isTls
      ? httpsRequest({
          ...common,
          servername: options.serverName ?? 'agent.localhost',
          rejectUnauthorized: false,
          ...(certificate ? { cert: certificate.chain, key: certificate.key } : {}),
        })
      : httpRequest({
          ...common,
          headers: {
            ...(certificate
              ? { 'x-ssl-client-cert': `${proxySecret} ${encodeURIComponent(certificate.leaf)}` }
              : {}),
            ...common.headers,
          },
        });
    request.end(options.body);
    const [response] = await once(request, 'response');
    const answer = await text(response);
    return { status: response.statusCode, headers: response.headers, text: answer, body: parse(answer) };
  }

  /** What the server's own address answers to a look whether it is there; undefined where nobody does. */
  async head(): Promise<number | undefined> {
    const { port, isTls } = this.#server;
    const common = { method: 'HEAD', port, host: '127.0.0.1', path: '/', agent: false as const };
    const headers = { host: `localhost:${port}` };
    const request = isTls
      ? httpsRequest({ ...common, headers, servername: 'localhost', rejectUnauthorized: false })
      : httpRequest({ ...common, headers });
    request.end();
    try {
      const [response] = await once(request, 'response');
      response.resume();
      return response.statusCode;
    } catch {
      return undefined;
    }
  }

  /** What an agent asks when it starts. */
  async startUp(): Promise<AgentAnswer> {
    const answer = await this.call('GET', 'agent-start-up/');
    const { activated, activationLink } = answer.body as {
      activated: boolean;
      activationLink: string | null;
    };
    this.activationLink = activated ? 'unknown' : activationLink;
    return answer;
  }

  /** Asks for events until there is none, and does what they say. */
  async poll(): Promise<void> {
    for (;;) {
      const { status, body } = await this.call('GET', 'events/');
      if (status === 204) return;
      if (status !== 200) throw new Error(`events answered ${status}`);
      const event = body as EventBody;
      this.handle(event);
      const confirm = await this.call('POST', `events/${event.id}/confirm/`);
      if (confirm.status !== 204) throw new Error(`confirm answered ${confirm.status}`);
      this.confirmed.push(event.code);
    }
  }

  /** Does what an event says. */
  handle({ code, payload }: EventBody): void {
    if (code === 'update_activation_link') this.activationLink = String(payload.activationLink ?? '');
    else if (code === 'update_tunnel_config') {
      this.tunnelConfig = parseIni(String(payload.config ?? ''));
      this.activationLink = 'unknown';
    }
  }

  /** Sends an archive as curl does; without an `end` the form is cut short. */
  uploadDiagnostics(archive: Buffer, end = '\r\n--form-boundary--\r\n'): Promise<AgentAnswer> {
    const name = `diag_${this.serialNumber}_2026-01-01.zip`;
    const head = `--form-boundary\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
    return this.call('POST', 'upload-diagnostic/', {
      body: Buffer.concat([Buffer.from(head), archive, Buffer.from(end)]),
      headers: { 'content-type': 'multipart/form-data; boundary=form-boundary' },
    });
  }

  /** Starts frpc with the configuration that it was told. */
  async openTunnel(
    ports: Readonly<Record<number, number>>,
    overrides: Readonly<Record<string, string>> = {},
  ): Promise<FrpClient> {
    const config: Record<string, string> = { ...this.tunnelConfig, ...overrides };
    const { user = '', token = '', run_id: runId = '' } = config;
    return new FrpClient(await this.#dial(config), { user, token, runId, ports });
  }

  async #dial({ server_addr: servername = '', server_port: port, protocol }: Record<string, string>) {
    const to = { port: Number(port), host: '127.0.0.1' };
    if (protocol === 'wss') return dialWebSocket(to, servername);
    const { isTls } = this.#server;
    const socket = isTls ? connectTls({ ...to, servername, rejectUnauthorized: false }) : connect(to);
    await once(socket, isTls ? 'secureConnect' : 'connect');
    return socket;
  }
}

/** As frpc goes with `protocol = wss`: a Host without the port, an Origin of http, and messages of text for any bytes. */
async function dialWebSocket(
  { port, host }: { port: number; host: string },
  servername: string,
): Promise<Duplex> {
  const webSocket = new WebSocket(`wss://${host}:${port}/~!frp`, {
    createConnection: () => connectTls({ port, host, servername, rejectUnauthorized: false }),
    headers: { host: servername, origin: `http://${servername}` },
    perMessageDeflate: false,
  });
  await once(webSocket, 'open');
  const stream = createWebSocketStream(webSocket);
  // By itself it would go on until both ends had been told.
  webSocket.once('close', () => stream.destroy());
  stream._write = (bytes: Buffer, _encoding, done) => webSocket.send(bytes, { binary: false }, done);
  return stream;
}

function parse(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    return undefined;
  }
}

/** Of all sections; a name that is in two of them is that of the last. */
function parseIni(config: string): Record<string, string> {
  const pairs = config.split('\n').flatMap((line): [string, string][] => {
    const at = line.indexOf(' = ');
    return at === -1 ? [] : [[line.slice(0, at), line.slice(at + 3)]];
  });
  return Object.fromEntries(pairs);
}
