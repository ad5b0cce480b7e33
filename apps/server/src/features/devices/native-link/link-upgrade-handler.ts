import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorCatalogue } from '@pult/contract';
import {
  ACCEPTS_HEADER,
  ACCEPTS_TRACE,
  acceptLink,
  ENROLLMENT_KEY_HEADER,
  ENROLMENT_HEADER,
  enrolRequestSchema,
  getLinkTransport,
  KEY_ID_HEADER,
  KEY_REFUSAL_HEADER,
  LINK_PATH,
  parseAuthorization,
  RESUME_MS,
  RETURN_TOKEN_HEADER,
  refuseLink,
  SERVER_URL_HEADER,
  SESSION_HEADER,
  SharedMemory,
} from '@pult/link';
import { DomainError } from '../../../platform/errors.ts';
import type { ClientAddress } from '../../../platform/http/client-address.ts';
import { errorHeaders } from '../../../platform/http/error-answers.ts';
import type { UpgradeRoute } from '../../../platform/http/host-server.ts';
import type { Logger } from '../../../platform/log.ts';
import type { Challenges } from '../challenges.ts';
import type { ClientLimits } from '../client-limits.ts';
import type { Admitted, EnrolmentsService } from '../enrolments.service.ts';
import type { HoldDevice } from '../hold-device.ts';
import type { LocalLinks } from '../local-links.ts';
import { describeRefusal } from './describe-refusal.ts';
import { parseBody } from './device.routes.ts';
import { type NativeLinkOptions, openNativeConnection } from './native-connection.ts';
import { createSessions, parseSessionRequest } from './sessions.ts';

interface Dependencies {
  enrolments: Pick<EnrolmentsService, 'admission' | 'admit' | 'enrolForLink' | 'isReturn'>;
  challenges: Pick<Challenges, 'create'>;
  limits: ClientLimits;
  addressOf: ClientAddress;
  hold: HoldDevice;
  links: Pick<LocalLinks, 'renew'>;
  /** Names this process in its sessions. */
  getNodeId: () => string;
  log: Logger;
  options: NativeLinkOptions;
}

/** What may wait in all links together, to be read by people or acknowledged by devices. */
const LINK_MEMORY_BYTES = 64 * 1024 * 1024;

function single(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function encodeRefusal({ code, values }: DomainError): string {
  return Buffer.from(JSON.stringify(describeRefusal(code, values))).toString('base64url');
}

/** Where devices' connections come in and become links. */
export function createLinkUpgradeHandler(dependencies: Dependencies): UpgradeRoute {
  const { enrolments, challenges, limits, addressOf, hold, links, log, options } = dependencies;
  /** Connections on which a device was refused once and asked to try again. */
  const triedOnce = new WeakSet<Duplex>();
  const sessions = createSessions(dependencies.getNodeId);
  const memory = new SharedMemory(LINK_MEMORY_BYTES);

  async function admit(
    request: IncomingMessage,
    address: string,
  ): Promise<Admitted & { keyRefusal?: DomainError | undefined }> {
    const { headers } = request;
    const proof = {
      authorization: headers.authorization,
      serverUrl: single(headers[SERVER_URL_HEADER]),
      keyId: single(headers[KEY_ID_HEADER]),
    };
    const encoded = single(headers[ENROLMENT_HEADER]);
    if (encoded !== undefined) limits.countEnrolment(address);
    // Others come with a challenge.
    const release = limits.enterQueue(address, encoded !== undefined || !enrolments.isReturn(proof));
    try {
      if (encoded === undefined) return await enrolments.admit(proof);
      const body = Buffer.from(encoded, 'base64url').toString();
      const enrollmentKey = single(headers[ENROLLMENT_KEY_HEADER]);
      return await enrolments.enrolForLink(parseBody(enrolRequestSchema, body), body, {
        ...proof,
        enrollmentKey,
        address,
      });
    } finally {
      release();
    }
  }

  async function enter(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    address: string,
  ): Promise<void> {
    const admitted = await admit(request, address);
    const { enrolment, generation, returnToken, keyRefusal } = admitted;
    if (keyRefusal) noteRefusal(request, keyRefusal, { address, what: 'enrolment key refused' });
    const next: Record<string, string> = {
      ...(returnToken ? { [RETURN_TOKEN_HEADER]: returnToken } : {}),
      ...(keyRefusal ? { [KEY_REFUSAL_HEADER]: encodeRefusal(keyRefusal) } : {}),
    };
    const asked = parseSessionRequest(single(request.headers[SESSION_HEADER]));
    const held = sessions.find(enrolment.id, asked);
    const takesTraces = single(request.headers[ACCEPTS_HEADER])?.split(',').includes(ACCEPTS_TRACE) ?? false;
    const isBulk = typeof asked === 'object' && asked.isBulk;
    if (held) {
      // Another one may come while this one is accepted.
      const number = held.attempt;
      const connection = await acceptLink(request, socket, head, { ...next, [SESSION_HEADER]: held.id });
      // First: that the link goes on is said by this generation.
      links.renew(enrolment.id, generation);
      if (isBulk) held.link.addBulk(connection, number);
      else held.link.resume(connection, number);
      return;
    }
    if (isBulk) throw new DomainError('link_session_gone');
    if (asked === 'none') {
      const connection = await acceptLink(request, socket, head, next);
      hold(admitted, openNativeConnection(connection, { memory, takesTraces, ...options }));
      return;
    }
    const id = sessions.createId();
    const connection = await acceptLink(request, socket, head, { ...next, [SESSION_HEADER]: id });
    const link = openNativeConnection(connection, { resumeMs: RESUME_MS, memory, takesTraces, ...options });
    sessions.add(enrolment.id, id, link);
    hold(admitted, link);
  }

  /**
   * For whoever looks closely alone: that a device is to wait, as whole fleets come back at once, and that it is to prove itself anew, as it
   * mostly does.
   */
  function noteRefusal(
    request: IncomingMessage,
    refusal: DomainError,
    {
      address,
      what = 'device link refused',
      isLast = true,
    }: { address: string; what?: string; isLast?: boolean },
  ): void {
    const { serialNumber } = parseAuthorization(request.headers.authorization) ?? {};
    const said = { serialNumber, address, ...refusal.logged };
    log[isLast && refusal.status !== 503 ? 'info' : 'debug'](said, what);
  }

  /** A nonce for a device that is asked to prove itself anew: it need not ask for one. */
  function renewChallenge({ headers }: IncomingMessage): { nonce?: string } {
    const authorization = parseAuthorization(headers.authorization);
    if (!authorization || limits.isFull()) return {};
    return { nonce: challenges.create(authorization.serialNumber) };
  }

  return {
    path: LINK_PATH,
    upgrade(request, socket, head, stayInHttp) {
      if (!triedOnce.has(socket)) socket.on('error', () => socket.destroy());
      if (getLinkTransport(request) === null) {
        refuseLink(socket, 400, describeRefusal('invalid_request', {}));
        return;
      }
      const address = addressOf(request);
      enter(request, socket, head, address).catch((error: Error) => {
        const known = error instanceof DomainError;
        if (!known) log.error({ err: error }, 'device link failed');
        const code = known ? error.code : 'service_unavailable';
        const values = known ? error.values : {};
        const { status } = errorCatalogue[code];
        const challenge = status === 401 ? renewChallenge(request) : {};
        const isLast = triedOnce.has(socket) || challenge.nonce === undefined;
        if (known) noteRefusal(request, error, { address, isLast });
        triedOnce.add(socket);
        refuseLink(
          socket,
          status,
          { ...describeRefusal(code, values), ...challenge },
          errorHeaders(code, values),
          isLast ? undefined : stayInHttp,
        );
      });
    },
  };
}
