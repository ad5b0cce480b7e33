import type { IncomingMessage } from 'node:http';
import {
  formatError,
  guestTerminalPath,
  type Locale,
  lifetimes,
  type TerminalClientMessage,
  type TerminalServerMessage,
  terminalPath,
} from '@pult/contract';
import type { WebSocket } from 'ws';
import { actAsToken } from '../../../platform/acting-token.ts';
import type { RecordAuditEvent } from '../../../platform/audit.ts';
import { type Node, nameAtNode, readNameAtNode } from '../../../platform/cluster/index.ts';
import { NodeGoneError, type PassedCalls } from '../../../platform/cluster/link/passed-calls.ts';
import type { ConnectionHandle } from '../../../platform/connection-handle.ts';
import { readStoredLocale } from '../../../platform/http/answer-locale.ts';
import type { ClientAddress } from '../../../platform/http/client-address.ts';
import type { UpgradeRoute } from '../../../platform/http/host-server.ts';
import type { Principal } from '../../../platform/http/principal.ts';
import type { Logger } from '../../../platform/log.ts';
import type { Tracing } from '../../../platform/tracing/tracing.ts';
import type { Authenticate } from '../../accounts/index.ts';
import type { DeviceRouter } from '../../devices/index.ts';
import type { GuestPrincipal } from '../guests/guest-login.ts';
import { grantOf } from '../live-tunnels.repository.ts';
import type { LiveTunnels } from '../live-tunnels.ts';
import type { TunnelsRepository } from '../tunnels.repository.ts';
import type { TunnelsService } from '../tunnels.service.ts';
import { createOwnUpgradeHandler, createWebSocketUpgradeHandler } from '../web-socket-upgrade-handler.ts';
import type { OldAlgorithmsRepository } from './old-algorithms.repository.ts';
import { passWebSocketOn } from './pass-web-socket-on.ts';
import { openShell, type Size } from './shell.ts';
import { createTakenAlgorithms } from './taken-algorithms.ts';
import {
  type ClientMessage,
  describeCut,
  describeLoss,
  describeTerminalFailure,
  parseMessage,
} from './terminal-messages.ts';
import { createTerminalSession, type TerminalSession } from './terminal-session.ts';
import type { TerminalSessions } from './terminal-sessions.ts';

interface Dependencies {
  authenticate: Authenticate;
  tunnels: TunnelsService;
  repository: TunnelsRepository;
  oldAlgorithms: OldAlgorithmsRepository;
  router: DeviceRouter;
  live: LiveTunnels;
  sessions: TerminalSessions;
  node: Node;
  /** Where there are other nodes. */
  passedCalls: PassedCalls | undefined;
  recordAudit: RecordAuditEvent;
  addressOf: ClientAddress;
  log: Logger;
  tracing: Tracing;
  /** How long a shell waits for its page to come back, in milliseconds. */
  resumeMs?: number | undefined;
  /** Between two signs of life of a terminal. */
  aliveMs?: number | undefined;
}

/** A page that opens a terminal says at once for whom. */
const startTimeout = 30_000;

interface Start {
  message: ClientMessage<'start'>;
  /** Also of a window that changes before there is a shell to tell. */
  size: Size;
  principal: Principal & { isReadOnly?: boolean };
  locale: Locale;
  address: string;
}

/** One terminal, from its start message to its end, over however many connections. */
async function runTerminal(
  dependencies: Dependencies,
  webSocket: WebSocket,
  { message, size, principal, locale, address }: Start,
  { onSession, onReady }: { onSession: (session: TerminalSession) => void; onReady: () => void },
): Promise<void> {
  const { tunnels, repository, router, live, sessions, recordAudit, log, node } = dependencies;
  const { resumeMs = lifetimes.terminalResume * 1000, aliveMs = 15_000 } = dependencies;
  const access = await tunnels.redeemTicket('ssh', message.tunnelKey, principal);
  if (webSocket.readyState !== webSocket.OPEN) return;
  // A refusal is an error of it, and with that the shell's.
  const connection = router.open(access, 'ssh');
  let opened: ConnectionHandle;
  try {
    opened = live.track({ grant: grantOf(access), kind: 'terminal', address }, 'session', (reason) =>
      session.cut(describeCut(reason, locale)),
    );
  } catch (error) {
    connection.destroy();
    throw error;
  }
  opened.watch(connection);
  const session = createTerminalSession(webSocket, {
    resumeMs,
    aliveMs,
    getControllerWait: () => router.getWait(access.enrolmentId),
    takenOver: describeLoss('taken_over', locale),
    charge: opened.charge,
    device: connection,
    onDetached: () => sessions.detached(session),
    onGone() {
      opened.end();
      sessions.remove(session);
      connection.destroy();
    },
  });
  onSession(session);
  const stopListening = router.onChange((enrolmentId, change) => {
    if (enrolmentId === access.enrolmentId && change === 'waiting') session.tellController();
  });
  const event = {
    userId: access.userId,
    organizationId: access.organizationId,
    subject: access.serialNumber,
    address,
  };
  // A guest takes nothing for a controller.
  const taken = principal.isReadOnly === undefined ? message.oldAlgorithms : undefined;
  const oldAlgorithms = createTakenAlgorithms(dependencies, access, taken);
  try {
    const shell = await openShell(
      connection,
      {
        username: message.username,
        credential: message.credential,
        size,
        getHostKey: () => repository.getHostKey(access),
        pinHostKey: (key) => repository.pinHostKey(access, key),
        oldAlgorithms,
        ask: (prompt) => session.send({ type: 'prompt', ...prompt }),
        onReady({ fingerprint, isNew }) {
          onReady();
          const token = sessions.add({ session, access, address, count: opened.count });
          const resumeToken = nameAtNode(node, token);
          session.ready({ type: 'ready', hostKeyFingerprint: fingerprint, hostKeyIsNew: isNew, resumeToken });
        },
        onOutput: session.output,
        onBytes: opened.count,
      },
      session.opening,
    );
    const details = { username: message.username, ...oldAlgorithms.describe() };
    await recordAudit({ ...event, action: 'terminal.opened', details });
    try {
      session.finish({ type: 'exit', ...(await shell.ended) });
    } finally {
      const details = { bytesIn: shell.bytesIn, bytesOut: shell.bytesOut };
      await recordAudit({ ...event, action: 'terminal.closed', details });
    }
  } catch (error) {
    const { userId: user, serialNumber } = access;
    session.finish(describeTerminalFailure(error, locale, log.child({ user, serialNumber, address })));
  } finally {
    stopListening();
  }
}

/** Continues a shell that waits, or that another connection still believes to have. */
async function resumeTerminal(
  { tunnels, sessions }: Dependencies,
  webSocket: WebSocket,
  { resumeToken, received, ...size }: ClientMessage<'resume'>,
  principal: Principal,
): Promise<TerminalSession | undefined> {
  const running = sessions.find(resumeToken, principal);
  // Its end may be a moment away: it is looked up, not waited for.
  if (!running || !(await tunnels.isHolding(running.access))) return undefined;
  if (webSocket.readyState !== webSocket.OPEN) return undefined;
  if (!running.session.resume(webSocket, received, size)) return undefined;
  sessions.attached(running.session);
  return running.session;
}

/** The SSH terminal of the console: a WebSocket in front, an SSH client to the device behind. */
export function createTerminal(dependencies: Dependencies): UpgradeRoute {
  return createWebSocketUpgradeHandler(terminalPath, dependencies, serveTerminal(dependencies));
}

/** The same for guests, some of whom may only look. */
export function createGuestTerminal(
  dependencies: Dependencies,
  authenticate: (request: IncomingMessage) => Promise<GuestPrincipal>,
): UpgradeRoute {
  const { addressOf, log } = dependencies;
  const own = { authenticate, addressOf, log };
  return createOwnUpgradeHandler(guestTerminalPath, own, serveTerminal(dependencies));
}

function serveTerminal(dependencies: Dependencies) {
  return (
    webSocket: WebSocket,
    principal: Principal & { isReadOnly?: boolean },
    request: IncomingMessage,
  ) => {
    const locale = readStoredLocale(request.headers, principal.locale);
    const address = dependencies.addressOf(request);
    let session: TerminalSession | undefined;
    let started = false;
    let isPassedOn = false;
    const size: Size = { columns: 80, rows: 24 };
    const leave = (message: TerminalServerMessage) => {
      if (webSocket.readyState === webSocket.OPEN) webSocket.send(JSON.stringify(message));
      webSocket.close();
    };
    const refuse = () => {
      const detail = formatError('invalid_request', locale);
      const message = { type: 'failed', code: 'invalid_request', detail } as const;
      if (session?.isShownBy(webSocket)) session.cut(message);
      else leave(message);
    };
    const fail = (error: unknown) => {
      const log = dependencies.log.child({ user: principal.userId, address });
      leave(describeTerminalFailure(error, locale, log));
    };
    const timer = setTimeout(() => webSocket.close(), startTimeout);
    webSocket.on('close', () => clearTimeout(timer));

    function start(message: ClientMessage<'start'>): void {
      const starting = { message, size, principal, locale, address };
      const onSession = (opening: TerminalSession) => {
        session = opening;
      };
      const run = () =>
        dependencies.tracing.begin({ name: 'OPEN terminal', attributes: {} }, (span) =>
          runTerminal(dependencies, webSocket, starting, { onSession, onReady: span.end }).finally(span.end),
        );
      actAsToken(principal.token?.name, run).catch(fail);
    }
    /** A shell of another node: from now on its server talks with the page. */
    function resumeElsewhere(message: ClientMessage<'resume'>, nodeId: string): void {
      isPassedOn = true;
      passWebSocketOn(
        dependencies.passedCalls,
        { webSocket, request, nodeId },
        JSON.stringify(message),
      ).catch((error: unknown) => {
        if (error instanceof NodeGoneError) leave(describeLoss('node_gone', locale));
        // As a cut line: the page comes again.
        else webSocket.terminate();
      });
    }
    function resume(message: ClientMessage<'resume'>): void {
      const { name: resumeToken, nodeId } = readNameAtNode(dependencies.node, message.resumeToken);
      if (nodeId !== undefined) {
        resumeElsewhere(message, nodeId);
        return;
      }
      resumeTerminal(dependencies, webSocket, { ...message, resumeToken }, principal).then((resumed) => {
        session = resumed;
        if (!resumed) leave(describeLoss('session_gone', locale));
      }, fail);
    }
    function handle(message: TerminalClientMessage): boolean {
      if ('columns' in message) {
        size.columns = message.columns;
        size.rows = message.rows;
      }
      const isFirst = message.type === 'start' || message.type === 'resume';
      if (isFirst === started) return false;
      switch (message.type) {
        case 'start':
        case 'resume':
          started = true;
          clearTimeout(timer);
          if (message.type === 'start') start(message);
          else resume(message);
          return true;
        case 'answer':
          session?.shell?.answer(message.answers);
          return true;
        case 'resize':
          session?.resize(size);
          return true;
        case 'ackOutput':
          return session?.ackOutput(message.position) ?? false;
        case 'end':
          session?.cut();
          return true;
      }
    }

    webSocket.on('message', (data, isBinary) => {
      if (webSocket.readyState !== webSocket.OPEN || isPassedOn) return;
      // Another connection has the shell: what this one had on its way counts no more.
      if (session && !session.isShownBy(webSocket)) return;
      if (isBinary) {
        // What is typed goes nowhere.
        if (principal.isReadOnly) return;
        // One Buffer, with the default binaryType of ws.
        const isTaken = session ? session.input(data as Buffer) : started;
        if (!isTaken) refuse();
        return;
      }
      const message = parseMessage(data);
      if (message === undefined || !handle(message)) refuse();
    });
  };
}
