import type { Agent, IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  ACCEPTS_HEADER,
  ACCEPTS_TRACE,
  DialTimeoutError,
  dial,
  type LinkRefusal,
  LinkRefusedError,
  type LinkTransport,
  RETURN_TOKEN_HEADER,
  SESSION_HEADER,
} from '@pult/link';
import type { StateDir } from '../platform/state-dir.ts';
import { readKeyRefusal } from './enrolment-key.ts';
import { getEnrolmentLinkHeaders, getLinkHeaders, type Identity } from './identity.ts';
import { forgetReturnToken, readReturnToken, writeReturnToken } from './return-token.ts';
import { type CallOptions, callWithNonce, formatEnrolment, isCut, withAgent } from './server-calls.ts';

export const TRANSPORT_FILE = 'transport.json';

interface ConnectOptions extends CallOptions {
  state: StateDir;
  log(line: string): void;
  /** The session to go on with, as the server is asked for it. */
  session: string;
  /** The server is asked to enrol this machine with it, by this key if it wants one. */
  enrolment?: { key: string | undefined } | undefined;
  /** The way that worked last, and no other. */
  isSecond?: boolean;
}

/** A connection to the server, and the session that it is part of; undefined by a server that has none. */
export interface LinkSocket {
  socket: Duplex;
  sessionId: string | undefined;
  /** Why the key that was sent has not claimed this machine. */
  keyRefusal: LinkRefusal | undefined;
}

/**
 * Opens the link's connection the way that worked last, and the other way when something between here
 * and the server does not let it through. Rejects with the last attempt's error.
 */
export async function connectLink(identity: Identity, options: ConnectOptions): Promise<LinkSocket> {
  const { state, log } = options;
  const remembered = readTransport(state, identity.serverUrl);
  const first = remembered ?? 'upgrade';
  const second = first === 'upgrade' ? 'websocket' : 'upgrade';
  try {
    return await connectBy(first, identity, options);
  } catch (error) {
    if (options.isSecond || !isBlocked(error)) throw error;
    log(
      `link: ${describe(first)} does not get through (${(error as Error).message}), trying ${describe(second)}`,
    );
  }
  const connected = await connectBy(second, identity, options);
  state.write(TRANSPORT_FILE, { serverUrl: identity.serverUrl, transport: second });
  return connected;
}

async function connectBy(
  transport: LinkTransport,
  identity: Identity,
  options: ConnectOptions,
): Promise<LinkSocket> {
  const connect = async (nonce: string, agent: Agent): Promise<LinkSocket> => {
    const { ca, timeoutMs, signal, session, state } = options;
    let sessionId: string | undefined;
    let keyRefusal: LinkRefusal | undefined;
    const onAnswer = (answer: IncomingHttpHeaders) => {
      const id = answer[SESSION_HEADER];
      if (typeof id === 'string') sessionId = id;
      const token = answer[RETURN_TOKEN_HEADER];
      if (typeof token === 'string') writeReturnToken(state, identity, token);
      keyRefusal = readKeyRefusal(answer);
    };
    const headers = {
      ...getProof(identity, nonce, options.enrolment),
      [SESSION_HEADER]: session,
      [ACCEPTS_HEADER]: ACCEPTS_TRACE,
    };
    const dialling = { headers, transport, ca, agent, timeoutMs, signal, onAnswer };
    const socket = await dial(identity.serverUrl, dialling);
    return { socket, sessionId, keyRefusal };
  };
  const token = options.enrolment ? undefined : readReturnToken(options.state, identity);
  if (token !== undefined) {
    const connected = await connectByToken(token, options, connect);
    if (connected) return connected;
  }
  return callWithNonce(identity, options, connect);
}

/**
 * Comes back by the token of the link before. Where the server wants none of it, it asks for another proof in its answer, over the
 * same connection; undefined where somebody closes that meanwhile.
 */
async function connectByToken(
  token: string,
  options: ConnectOptions,
  connect: (nonce: string, agent: Agent) => Promise<LinkSocket>,
): Promise<LinkSocket | undefined> {
  let isAsked = false;
  try {
    return await withAgent(options, async (agent) => {
      try {
        return await connect(token, agent);
      } catch (error) {
        if (!(error instanceof LinkRefusedError && error.status === 401)) throw error;
        forgetReturnToken(options.state);
        const { code, nonce } = error.refusal ?? {};
        if (nonce === undefined || code === 'device_unknown') throw error;
        isAsked = true;
        return connect(nonce, agent);
      }
    });
  } catch (error) {
    if (isAsked && isCut(error)) return undefined;
    throw error;
  }
}

function getProof(identity: Identity, nonce: string, enrolment: ConnectOptions['enrolment']) {
  if (!enrolment) return getLinkHeaders(identity, nonce);
  return getEnrolmentLinkHeaders(identity, nonce, formatEnrolment(identity), enrolment.key);
}

// With these a Pult server means what it says; with anything else a proxy may have spoken, or kept
// the upgrade from the server.
const finalStatuses = [401, 403, 409, 429, 503];

function isBlocked(error: unknown): boolean {
  if (error instanceof LinkRefusedError) return !(error.refusal && finalStatuses.includes(error.status));
  if (error instanceof DialTimeoutError) return true;
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
}

function readTransport(state: StateDir, serverUrl: string): LinkTransport | undefined {
  const kept = (state.read(TRANSPORT_FILE) ?? {}) as { serverUrl?: unknown; transport?: unknown };
  if (kept.serverUrl !== serverUrl) return undefined;
  return kept.transport === 'websocket' || kept.transport === 'upgrade' ? kept.transport : undefined;
}

function describe(transport: LinkTransport): string {
  return transport === 'upgrade' ? 'the direct link' : 'WebSocket';
}
