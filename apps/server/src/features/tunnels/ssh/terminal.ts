import {
  formatError,
  type Locale,
  negotiateLocale,
  type TerminalClientMessage,
  type TerminalFailure,
  type TerminalServerMessage,
  terminalClientMessage,
  terminalPath,
} from '@pult/contract';
import { ServiceError } from '@pult/link';
import type { RawData, WebSocket } from 'ws';
import type { RecordAuditEvent } from '../../../platform/audit.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { ClientAddress } from '../../../platform/http/client-address.ts';
import type { UpgradeRoute } from '../../../platform/http/host-server.ts';
import type { Principal } from '../../../platform/http/principal.ts';
import type { Logger } from '../../../platform/log.ts';
import type { Authenticate } from '../../accounts/index.ts';
import type { Links } from '../../devices/index.ts';
import type { LiveTunnels } from '../live-tunnels.ts';
import type { TunnelAccess, TunnelsRepository } from '../tunnels.repository.ts';
import type { TunnelsService } from '../tunnels.service.ts';
import { createWebSocketEntrance } from './entrance.ts';
import { openShell, type Shell, SshFailure } from './shell.ts';
import { terminalTexts } from './terminal-texts.ts';

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

function parseMessage(data: RawData): TerminalClientMessage | undefined {
  try {
    const result = terminalClientMessage.safeParse(JSON.parse(String(data)));
    return result.success ? result.data : undefined;
  } catch {
    return undefined;
  }
}

/** The SSH terminal of the console: a WebSocket in front, an SSH client to the device behind. */
export function createTerminal(dependencies: Dependencies): UpgradeRoute {
  const { tunnels, repository, links, live, recordAudit, log } = dependencies;

  function describeFailure(
    error: unknown,
    locale: Locale,
  ): Extract<TerminalServerMessage, { type: 'failed' }> {
    const failed = (code: TerminalFailure, detail: string, rest = {}) =>
      ({ type: 'failed', code, detail, ...rest }) as const;
    if (error instanceof SshFailure) {
      return failed(error.code, terminalTexts[error.code][locale], error.fingerprints);
    }
    if (
      error instanceof DomainError &&
      (error.code === 'tunnel_ticket_invalid' || error.code === 'controller_offline')
    ) {
      return failed(error.code, formatError(error.code, locale, error.values));
    }
    if (error instanceof ServiceError) {
      const isGone = error.code === 'link_closed';
      if (isGone) return failed('ssh_failed', terminalTexts.link_lost[locale]);
      return failed(
        'service_refused',
        `${terminalTexts.service_refused[locale]} ${error.reason ?? ''}`.trim(),
      );
    }
    log.error({ err: error }, 'terminal failed');
    return failed('ssh_failed', terminalTexts.ssh_failed[locale]);
  }

  async function run(
    webSocket: WebSocket,
    start: Start,
    session: { access: TunnelAccess; address: string; send: (message: TerminalServerMessage) => void },
    onShell: (shell: Shell) => void,
  ): Promise<void> {
    const { access, send } = session;
    const connection = await links.openService(access, 'ssh');
    webSocket.on('close', () => connection.destroy());
    const untrack = live.track(access.tunnelId, 'session', () => {
      send({ type: 'failed', code: 'access_ended', detail: '' });
      connection.destroy();
      webSocket.close();
    });
    webSocket.on('close', untrack);
    const shell = await openShell(
      connection,
      {
        username: start.username,
        credential: start.credential,
        size: start,
        pinHostKey: (key) => repository.pinHostKey(access, key),
        ask: (prompt) => send({ type: 'prompt', ...prompt }),
      },
      onShell,
    );
    const { fingerprint, isNew } = shell.hostKey;
    send({ type: 'ready', hostKeyFingerprint: fingerprint, hostKeyIsNew: isNew });

    const { userId, organizationId, serialNumber: subject } = access;
    const event = { userId, organizationId, subject, address: session.address };
    await recordAudit({ ...event, action: 'terminal.opened', details: { username: start.username } });
    const { exitCode, signal } = await shell.carry({
      write(chunk, done) {
        webSocket.send(chunk, () => done());
        return webSocket.bufferedAmount < maxWaiting;
      },
    });
    send({ type: 'exit', exitCode, signal });
    const details = { bytesIn: shell.bytesIn, bytesOut: shell.bytesOut };
    await recordAudit({ ...event, action: 'terminal.closed', details });
  }

  return createWebSocketEntrance(terminalPath, dependencies, (webSocket, principal: Principal, request) => {
    const locale = negotiateLocale(request.headers['accept-language']);
    const address = dependencies.addressOf(request);
    let shell: Shell | undefined;
    let started = false;
    const send = (message: TerminalServerMessage) => {
      if (webSocket.readyState === webSocket.OPEN) webSocket.send(JSON.stringify(message));
    };
    const fail = (error: unknown) => {
      send(describeFailure(error, locale));
      webSocket.close();
    };
    const timer = setTimeout(() => webSocket.close(), startTimeout);
    webSocket.on('close', () => clearTimeout(timer));

    webSocket.on('message', (data, isBinary) => {
      if (isBinary) {
        if (shell?.write(data as Buffer) === false) {
          webSocket.pause();
          shell.onDrain(() => webSocket.resume());
        }
        return;
      }
      const message = parseMessage(data);
      if (message === undefined || (message.type === 'start') === started) {
        send({ type: 'failed', code: 'invalid_request', detail: formatError('invalid_request', locale) });
        webSocket.close();
        return;
      }
      if (message.type === 'resize') shell?.resize(message);
      if (message.type === 'answer') shell?.answer(message.answers);
      if (message.type !== 'start') return;
      started = true;
      clearTimeout(timer);
      tunnels
        .redeemSshTicket(message.tunnelKey, principal)
        .then((access) =>
          run(webSocket, message, { access, address, send }, (opening) => {
            shell = opening;
          }),
        )
        .then(() => webSocket.close(), fail);
    });
  });
}
