import {
  formatError,
  type TerminalClientMessage,
  type TerminalServerMessage,
  terminalClientMessage,
  terminalPath,
} from '@pult/contract';
import type { RawData, WebSocket } from 'ws';
import type { RecordAuditEvent } from '../../../platform/audit.ts';
import type { ClientAddress } from '../../../platform/http/client-address.ts';
import type { UpgradeRoute } from '../../../platform/http/host-server.ts';
import type { Principal } from '../../../platform/http/principal.ts';
import type { Logger } from '../../../platform/log.ts';
import type { Authenticate } from '../../accounts/index.ts';
import type { Links } from '../../devices/index.ts';
import type { LiveTunnels } from '../live-tunnels.ts';
import type { TunnelsRepository } from '../tunnels.repository.ts';
import type { TunnelsService } from '../tunnels.service.ts';
import { createWebSocketEntrance } from './entrance.ts';
import { openShell, type Shell, type Size } from './shell.ts';
import { describeCut, describeFailure } from './terminal-failures.ts';

interface Dependencies {
  authenticate: Authenticate;
  tunnels: TunnelsService;
  repository: TunnelsRepository;
  links: Links;
  live: LiveTunnels;
  recordAudit: RecordAuditEvent;
  addressOf: ClientAddress;
  log: Logger;
}

type Start = Extract<TerminalClientMessage, { type: 'start' }>;

/** A page that opens a terminal says at once for whom. */
const startTimeout = 30_000;
/** Output waiting for a slow browser, in bytes, before the shell is held back. */
const maxWaiting = 512 * 1024;
/** Time a browser has for its side of a close. */
const closeTimeout = 1_000;

function parseMessage(data: RawData): TerminalClientMessage | undefined {
  try {
    const result = terminalClientMessage.safeParse(JSON.parse(String(data)));
    return result.success ? result.data : undefined;
  } catch {
    return undefined;
  }
}

type Send = (message: TerminalServerMessage) => void;

/** One terminal, from its start message to its end. Closes the WebSocket when it is over. */
async function runTerminal(
  dependencies: Dependencies,
  webSocket: WebSocket,
  session: { start: Start; size: Size; principal: Principal; address: string; send: Send },
  onShell: (shell: Shell) => void,
): Promise<void> {
  const { tunnels, repository, links, live, recordAudit } = dependencies;
  const { start, principal, send } = session;
  const { locale } = principal;
  const access = await tunnels.redeemSshTicket(start.tunnelKey, principal);
  const connection = await links.openService(access, 'ssh');
  // Until the shell listens, and after it has let go.
  connection.on('error', () => {});
  if (webSocket.readyState !== webSocket.OPEN) {
    connection.destroy();
    return;
  }
  const untrack = live.track(access.tunnelId, 'session', (reason) => {
    send(describeCut(reason, locale));
    connection.destroy();
    webSocket.close();
    // A browser that does not answer the close holds its place no longer.
    setTimeout(() => webSocket.terminate(), closeTimeout).unref();
  });
  webSocket.on('close', () => {
    untrack();
    connection.destroy();
  });
  const shell = await openShell(
    connection,
    {
      username: start.username,
      credential: start.credential,
      size: session.size,
      pinHostKey: (key) => repository.pinHostKey(access, key),
      ask: (prompt) => send({ type: 'prompt', ...prompt }),
      onReady: ({ fingerprint, isNew }) =>
        send({ type: 'ready', hostKeyFingerprint: fingerprint, hostKeyIsNew: isNew }),
      onOutput(chunk, done) {
        webSocket.send(chunk, () => {
          if (webSocket.bufferedAmount < maxWaiting) done();
        });
        return webSocket.bufferedAmount < maxWaiting;
      },
    },
    onShell,
  );

  const { userId, organizationId, serialNumber: subject } = access;
  const event = { userId, organizationId, subject, address: session.address };
  await recordAudit({ ...event, action: 'terminal.opened', details: { username: start.username } });
  try {
    send({ type: 'exit', ...(await shell.ended) });
  } finally {
    const details = { bytesIn: shell.bytesIn, bytesOut: shell.bytesOut };
    await recordAudit({ ...event, action: 'terminal.closed', details });
  }
}

/** The SSH terminal of the console: a WebSocket in front, an SSH client to the device behind. */
export function createTerminal(dependencies: Dependencies): UpgradeRoute {
  return createWebSocketEntrance(terminalPath, dependencies, (webSocket, principal, request) => {
    // The user's own language: a page cannot choose the header of a WebSocket.
    const { locale } = principal;
    const address = dependencies.addressOf(request);
    let shell: Shell | undefined;
    let started = false;
    // Also of a window that changes before there is a shell to tell.
    const size: Size = { columns: 80, rows: 24 };
    const send: Send = (message) => {
      if (webSocket.readyState === webSocket.OPEN) webSocket.send(JSON.stringify(message));
    };
    const refuse = () => {
      send({ type: 'failed', code: 'invalid_request', detail: formatError('invalid_request', locale) });
      webSocket.close();
    };
    const fail = (error: unknown) => {
      send(describeFailure(error, locale, dependencies.log));
      webSocket.close();
    };
    const timer = setTimeout(() => webSocket.close(), startTimeout);
    webSocket.on('close', () => clearTimeout(timer));

    webSocket.on('message', (data, isBinary) => {
      if (webSocket.readyState !== webSocket.OPEN) return;
      if (isBinary) {
        if (!started) return refuse();
        // One Buffer, with the default binaryType of ws.
        if (shell?.write(data as Buffer) === false) {
          webSocket.pause();
          shell.onDrain(() => webSocket.resume());
        }
        return;
      }
      const message = parseMessage(data);
      if (message === undefined || (message.type === 'start') === started) return refuse();
      if (message.type === 'answer') return shell?.answer(message.answers);
      size.columns = message.columns;
      size.rows = message.rows;
      if (message.type === 'resize') return shell?.resize(size);
      started = true;
      clearTimeout(timer);
      const session = { start: message, size, principal, address, send };
      const onShell = (opening: Shell) => {
        shell = opening;
      };
      runTerminal(dependencies, webSocket, session, onShell).then(() => webSocket.close(), fail);
    });
  });
}
