import type { IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import { DialTimeoutError, dial, LinkRefusedError, type LinkTransport, SESSION_HEADER } from '@pult/link';
import type { StateDir } from '../platform/state-dir.ts';
import { getLinkHeaders, type Identity } from './identity.ts';
import { type CallOptions, callWithNonce } from './server-calls.ts';

export const TRANSPORT_FILE = 'transport.json';

interface ConnectOptions extends CallOptions {
  state: StateDir;
  log(line: string): void;
  /** The session to go on with, as the server is asked for it. */
  session: string;
}

/** A connection to the server, and the session that it is part of; undefined by a server that has none. */
export interface LinkSocket {
  socket: Duplex;
  sessionId: string | undefined;
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
    if (!isBlocked(error)) throw error;
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
  const { ca, timeoutMs, signal, session } = options;
  return callWithNonce(identity, options, async (nonce, agent) => {
    const headers = { ...getLinkHeaders(identity, nonce), [SESSION_HEADER]: session };
    let sessionId: string | undefined;
    const onAnswer = (answer: IncomingHttpHeaders) => {
      const id = answer[SESSION_HEADER];
      if (typeof id === 'string') sessionId = id;
    };
    const options = { headers, transport, ca, agent, timeoutMs, signal, onAnswer };
    const socket = await dial(identity.serverUrl, options);
    return { socket, sessionId };
  });
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
