import {
  type FileFailure,
  type FilesClientMessage,
  type FilesServerMessage,
  filesClientMessage,
  fileWindows,
  terminalFilesPath,
} from '@pult/contract';
import type { RawData, WebSocket } from 'ws';
import { actAsToken } from '../../../platform/acting-token.ts';
import type { RecordAuditEvent } from '../../../platform/audit.ts';
import { type Node, nameAtNode, readNameAtNode } from '../../../platform/cluster/index.ts';
import type { PassedCalls } from '../../../platform/cluster/link/passed-calls.ts';
import type { ClientAddress } from '../../../platform/http/client-address.ts';
import type { UpgradeRoute } from '../../../platform/http/host-server.ts';
import type { Principal } from '../../../platform/http/principal.ts';
import type { Logger } from '../../../platform/log.ts';
import type { Authenticate } from '../../accounts/index.ts';
import { passWebSocketOn } from '../ssh/pass-web-socket-on.ts';
import type { TerminalSessions } from '../ssh/terminal-sessions.ts';
import type { TunnelsService } from '../tunnels.service.ts';
import { createWebSocketUpgradeHandler } from '../web-socket-upgrade-handler.ts';
import type { FileDownloads } from './file-downloads.ts';
import { FileError, failureOf } from './file-error.ts';
import { createFileTransfers, type FileTransfers } from './file-transfers.ts';
import { keepRawNames } from './raw-names.ts';

interface Dependencies {
  authenticate: Authenticate;
  tunnels: TunnelsService;
  sessions: TerminalSessions;
  node: Node;
  /** Where there are other nodes. */
  passedCalls: PassedCalls | undefined;
  downloads: FileDownloads;
  recordAudit: RecordAuditEvent;
  addressOf: ClientAddress;
  log: Logger;
}

const attachTimeout = 30_000;

function parseMessage(data: RawData): FilesClientMessage | undefined {
  try {
    return filesClientMessage.safeParse(JSON.parse(String(data))).data;
  } catch {
    return undefined;
  }
}

/**
 * Files over the login of an open terminal. Lives on the SSH connection of that terminal: whatever ends it, ends
 * this, too, with all that is on its way.
 */
export function createFilePanel(dependencies: Dependencies): UpgradeRoute {
  const { tunnels, sessions, node, passedCalls, recordAudit, addressOf, log } = dependencies;
  const downloads: FileDownloads = {
    ...dependencies.downloads,
    offer: (download) => nameAtNode(node, dependencies.downloads.offer(download)),
  };

  async function attach(
    resumeToken: string,
    principal: Principal,
    address: string,
    connection: { send: (message: FilesServerMessage) => void; fail: (code: FileFailure) => void },
  ): Promise<FileTransfers> {
    const running = sessions.find(resumeToken, principal);
    const shell = running?.session.shell;
    if (!running || !shell || !(await tunnels.isHolding(running.access))) throw new FileError('session_gone');
    const { access } = running;
    const sftp = keepRawNames(await shell.openSftp());
    sftp.on('error', () => {});
    sftp.on('close', () => connection.fail('session_gone'));
    return createFileTransfers({
      shell,
      sftp,
      downloads,
      owner: { sessionId: access.sessionId, serialNumber: access.serialNumber },
      send: connection.send,
      count: running.count,
      record({ action, ...details }) {
        const { userId, organizationId, serialNumber: subject } = access;
        const event = { action, userId, organizationId, subject, address, details };
        actAsToken(principal.token?.name, () => recordAudit(event)).catch((error: Error) =>
          log.error({ err: error }, 'file transfer not recorded'),
        );
      },
    });
  }

  return createWebSocketUpgradeHandler(terminalFilesPath, dependencies, (webSocket, principal, request) => {
    const address = addressOf(request);
    let transfers: FileTransfers | undefined;
    let isAttaching = false;
    let isPassedOn = false;
    const send = (message: FilesServerMessage) => {
      if (webSocket.readyState === webSocket.OPEN) webSocket.send(JSON.stringify(message));
    };
    const fail = (code: FileFailure) => {
      send({ type: 'failed', code });
      webSocket.close();
    };
    const timer = setTimeout(() => webSocket.close(), attachTimeout);
    webSocket.on('close', () => {
      clearTimeout(timer);
      transfers?.close();
    });

    function begin(message: Extract<FilesClientMessage, { type: 'attach' }>): void {
      isAttaching = true;
      clearTimeout(timer);
      const { name: resumeToken, nodeId } = readNameAtNode(node, message.resumeToken);
      if (nodeId !== undefined) {
        isPassedOn = true;
        passWebSocketOn(passedCalls, { webSocket, request, nodeId }, JSON.stringify(message)).catch(() =>
          fail('session_gone'),
        );
        return;
      }
      attach(resumeToken, principal, address, { send, fail }).then(
        (attached) => {
          if (webSocket.readyState !== webSocket.OPEN) return attached.close();
          transfers = attached;
          send({ type: 'attached' });
        },
        (error: unknown) => fail(failureOf(error)),
      );
    }

    webSocket.on('message', (data, isBinary) => {
      if (webSocket.readyState !== webSocket.OPEN || isPassedOn) return;
      if (isBinary) {
        // One Buffer, with the default binaryType of ws.
        transfers?.receive(data as Buffer);
        holdBack(webSocket, transfers);
        return;
      }
      const message = parseMessage(data);
      if (!message || (message.type === 'attach') === isAttaching) fail('failed');
      else if (message.type === 'attach') begin(message);
      else transfers?.handle(message);
    });
  });
}

/** Against a page that does not keep to its window; one that does is never held back, so that it can cancel. */
function holdBack(webSocket: WebSocket, transfers: FileTransfers | undefined): void {
  if (!transfers || transfers.waiting <= fileWindows.upload * 2) return;
  webSocket.pause();
  const timer = setInterval(() => {
    const isOver = webSocket.readyState === webSocket.CLOSED;
    if (!isOver && transfers.waiting > fileWindows.upload) return;
    clearInterval(timer);
    webSocket.resume();
  }, 50);
  timer.unref();
}
