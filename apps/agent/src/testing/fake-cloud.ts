import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  acceptLink,
  CHALLENGE_PATH,
  type CloudLink,
  ENROLL_PATH,
  ENROLLMENT_KEY_HEADER,
  ENROLMENT_HEADER,
  type EnrolRequest,
  enrolRequestSchema,
  getLinkTransport,
  KEY_ID_HEADER,
  KEY_REFUSAL_HEADER,
  keyId,
  type LinkRefusal,
  openCloudLink,
  parseAuthorization,
  RETURN_TOKEN_HEADER,
  refuseLink,
  SERVER_URL_HEADER,
  verifyEnrolment,
  verifyLink,
} from '@pult/link';
import { listen } from '@pult/testkit/in-test';
import { onTestFinished } from 'vitest';

/** As much of a Pult server as an agent meets, with everything checked that the real one checks. */
export interface FakeCloud {
  readonly url: string;
  readonly enrolments: EnrolRequest[];
  /** That came with these. */
  readonly keys: unknown[];
  /** Transports of all link requests, refused ones too. */
  readonly attempts: string[];
  /** How many connections there have been. */
  readonly connections: number;
  /** The next link that comes up, or one that has come up and was not asked for yet. */
  nextLink(): Promise<CloudLink>;
  /** Answers the next link requests so, until set to null. */
  refuseLinks(refusal: RefusedLink | null): void;
  /** Forgets all keys. */
  forget(): void;
  /** Forgets all nonces, those for a return too. */
  forgetNonces(): void;
}

interface RefusedLink {
  status: number;
  body: LinkRefusal | null;
  headers?: Record<string, string>;
}

interface FakeCloudOptions {
  /** Answers 400 to upgrades it does not know, as proxies do. */
  passesOnlyWebSocket?: boolean;
  /** Closes each connection after an answer that promised to keep it. */
  closesUnasked?: boolean;
  enrollmentKey?: string;
  /** Why keys do not claim who enrols with them. */
  keyRefusal?: LinkRefusal;
  /** Lets devices come back without a challenge. */
  handsOutTokens?: boolean;
  createServer?: () => Server;
  /** Makes the port that agents dial instead of its own. */
  reachBy?: (port: number) => Promise<number>;
  /** Name under which agents reach it, through a proxy that knows the way; 127.0.0.1 unless told. */
  host?: string;
}

export const activationLink = 'https://cloud.test/controllers?token=abc';

export async function createFakeCloud(options: FakeCloudOptions = {}): Promise<FakeCloud> {
  const server = (options.createServer ?? createServer)();
  const listening = await listen(server);
  const port = (await options.reachBy?.(listening)) ?? listening;
  const scheme = 'setSecureContext' in server ? 'https' : 'http';
  const url = `${scheme}://${options.host ?? '127.0.0.1'}:${port}`;
  const nonces = new Set<string>();
  const keys = new Map<string, Buffer>();
  const links: CloudLink[] = [];
  const waiting: ((link: CloudLink) => void)[] = [];
  const cloud = { enrolments: [] as EnrolRequest[], keys: [] as unknown[], attempts: [] as string[] };
  let refusal: RefusedLink | null = null;

  /** Remembers who enrols, if everything about it is right. */
  function enrol(request: IncomingMessage, body: string): RefusedLink | undefined {
    const enrolment = enrolRequestSchema.parse(JSON.parse(body));
    const publicKey = Buffer.from(enrolment.publicKey, 'base64url');
    const proof = authorize(request);
    if (!proof || !verifyEnrolment(publicKey, { ...proof.claim, body }, proof.signature)) {
      return { status: 401, body: { code: 'device_signature_invalid' } };
    }
    const { enrollmentKey } = options;
    if (enrollmentKey !== undefined && request.headers[ENROLLMENT_KEY_HEADER] !== enrollmentKey) {
      return { status: 403, body: { code: 'enrolment_key_invalid', detail: 'The enrolment key is wrong.' } };
    }
    keys.set(keyId(publicKey), publicKey);
    cloud.enrolments.push(enrolment);
    cloud.keys.push(request.headers[ENROLLMENT_KEY_HEADER]);
    return undefined;
  }

  /** The no to a device that asks for a link. */
  function refuse(request: IncomingMessage): RefusedLink | undefined {
    if (refusal) return refusal;
    const encoded = request.headers[ENROLMENT_HEADER];
    if (encoded !== undefined) return enrol(request, Buffer.from(String(encoded), 'base64url').toString());
    const publicKey = keys.get(String(request.headers[KEY_ID_HEADER]));
    if (!publicKey) return { status: 401, body: { code: 'device_unknown' } };
    const proof = authorize(request);
    if (proof && verifyLink(publicKey, proof.claim, proof.signature)) return undefined;
    return { status: 401, body: { code: 'device_signature_invalid', nonce: createNonce() } };
  }

  function createNonce(): string {
    const nonce = randomBytes(16).toString('base64url');
    nonces.add(nonce);
    return nonce;
  }

  function authorize(request: IncomingMessage) {
    const claim = parseAuthorization(request.headers.authorization);
    const audience = request.headers[SERVER_URL_HEADER];
    if (!claim || audience !== url || !nonces.delete(claim.nonce)) return null;
    return { claim: { ...claim, audience }, signature: claim.signature };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const send = (status: number, content: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
    if (request.url === CHALLENGE_PATH) {
      send(200, { nonce: createNonce() });
      return;
    }
    if (request.url !== ENROLL_PATH) {
      send(404, { code: 'not_found' });
      return;
    }
    const refused = enrol(request, body);
    if (refused) send(refused.status, refused.body);
    else send(200, { activated: false, activationLink });
  }

  async function enter(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const transport = getLinkTransport(request);
    cloud.attempts.push(transport ?? 'none');
    if (options.passesOnlyWebSocket && transport !== 'websocket') {
      socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const refused = refuse(request);
    if (refused) {
      const body = refused.body ?? { code: 'refused' };
      refuseLink(
        socket,
        refused.status,
        body,
        refused.headers,
        body.nonce ? () => stayInHttp(socket) : undefined,
      );
      return;
    }
    const isEnrolment = request.headers[ENROLMENT_HEADER] !== undefined;
    const { keyRefusal } = options;
    const answer: Record<string, string> = {
      ...(options.handsOutTokens ? { [RETURN_TOKEN_HEADER]: createNonce() } : {}),
      ...(isEnrolment && keyRefusal
        ? { [KEY_REFUSAL_HEADER]: Buffer.from(JSON.stringify(keyRefusal)).toString('base64url') }
        : {}),
    };
    const link = openCloudLink(await acceptLink(request, socket, head, answer));
    if (isEnrolment) {
      const state = { activated: false, activationLink, metricsIntervalSeconds: 60 };
      void link.putState(state).catch(() => {}); // a test may end before
    }
    onTestFinished(async () => {
      link.close('transport');
      await link.closed;
    });
    const next = waiting.shift();
    if (next) next(link);
    else links.push(link);
  }

  const connectionEvent = 'setSecureContext' in server ? 'secureConnection' : 'connection';
  /** Back into HTTP, without being counted as another connection. */
  function stayInHttp(socket: Duplex): void {
    connections -= 1;
    server.emit(connectionEvent, socket);
  }

  let connections = 0;
  server.on(connectionEvent, () => {
    connections += 1;
  });
  server.on('request', (request, response) => {
    if (options.closesUnasked) response.on('finish', () => request.socket.end());
    answer(request, response).catch(() => response.destroy());
  });
  server.on('upgrade', (request, socket, head) => {
    enter(request, socket, head).catch(() => socket.destroy());
  });
  return {
    ...cloud,
    url,
    get connections() {
      return connections;
    },
    nextLink: () => {
      const link = links.shift();
      return link ? Promise.resolve(link) : new Promise((resolve) => waiting.push(resolve));
    },
    refuseLinks: (next) => {
      refusal = next;
    },
    forget: () => keys.clear(),
    forgetNonces: () => nonces.clear(),
  };
}
