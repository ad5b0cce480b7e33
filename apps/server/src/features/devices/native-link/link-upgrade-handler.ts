import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorCatalogue } from '@pult/contract';
import {
  acceptLink,
  getLinkTransport,
  KEY_ID_HEADER,
  LINK_PATH,
  RESUME_MS,
  refuseLink,
  SERVER_URL_HEADER,
  SESSION_HEADER,
  SharedMemory,
} from '@pult/link';
import { DomainError } from '../../../platform/errors.ts';
import { errorHeaders } from '../../../platform/http/error-answers.ts';
import type { UpgradeRoute } from '../../../platform/http/host-server.ts';
import type { Logger } from '../../../platform/log.ts';
import type { EnrolmentsService } from '../enrolments.service.ts';
import type { HoldDevice } from '../hold-device.ts';
import { describeRefusal } from './device.routes.ts';
import { type NativeLinkOptions, openNativeConnection } from './native-connection.ts';
import { createSessions, parseSessionRequest } from './sessions.ts';

interface Dependencies {
  enrolments: Pick<EnrolmentsService, 'admit'>;
  hold: HoldDevice;
  log: Logger;
  options: NativeLinkOptions | undefined;
}

/** What may wait in all links together, to be read by people or acknowledged by devices. */
const LINK_MEMORY_BYTES = 64 * 1024 * 1024;

function single(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Where devices' connections come in and become links. */
export function createLinkUpgradeHandler(dependencies: Dependencies): UpgradeRoute {
  const { enrolments, hold, log, options } = dependencies;
  const sessions = createSessions();
  const memory = new SharedMemory(LINK_MEMORY_BYTES);

  async function enter(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const enrolment = await enrolments.admit({
      authorization: request.headers.authorization,
      serverUrl: single(request.headers[SERVER_URL_HEADER]),
      keyId: single(request.headers[KEY_ID_HEADER]),
    });
    const asked = parseSessionRequest(single(request.headers[SESSION_HEADER]));
    const held = sessions.find(enrolment.id, asked);
    if (held) {
      held.link.resume(await acceptLink(request, socket, head, { [SESSION_HEADER]: held.id }));
      return;
    }
    if (asked === 'none') {
      hold(enrolment, openNativeConnection(await acceptLink(request, socket, head), { memory, ...options }));
      return;
    }
    const id = sessions.createId();
    const connection = await acceptLink(request, socket, head, { [SESSION_HEADER]: id });
    const link = openNativeConnection(connection, { resumeMs: RESUME_MS, memory, ...options });
    sessions.add(enrolment.id, id, link);
    hold(enrolment, link);
  }

  return {
    path: LINK_PATH,
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      if (getLinkTransport(request) === null) {
        refuseLink(socket, 400, describeRefusal('invalid_request', {}));
        return;
      }
      enter(request, socket, head).catch((error: Error) => {
        const known = error instanceof DomainError;
        if (!known) log.error({ err: error }, 'device link failed');
        const code = known ? error.code : 'service_unavailable';
        const values = known ? error.values : {};
        const { status } = errorCatalogue[code];
        refuseLink(socket, status, describeRefusal(code, values), errorHeaders(code, values));
      });
    },
  };
}
