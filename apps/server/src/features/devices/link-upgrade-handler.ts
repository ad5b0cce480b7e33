import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorCatalogue } from '@pult/contract';
import {
  acceptLink,
  type CloudLink,
  type CloudLinkOptions,
  type DeviceInfo,
  getLinkTransport,
  KEY_ID_HEADER,
  LINK_PATH,
  openCloudLink,
  refuseLink,
  SERVER_URL_HEADER,
} from '@pult/link';
import type { Clock } from '../../platform/clock.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Events } from '../../platform/events/events.ts';
import { errorHeaders } from '../../platform/http/error-answers.ts';
import type { UpgradeRoute } from '../../platform/http/host-server.ts';
import type { Logger } from '../../platform/log.ts';
import { describeRefusal } from './device.routes.ts';
import type { Enrolment, EnrolmentClaim, EnrolmentsRepository } from './enrolments.repository.ts';
import type { EnrolmentsService } from './enrolments.service.ts';
import type { Links } from './links.ts';

interface Dependencies {
  enrolments: EnrolmentsService;
  repository: EnrolmentsRepository;
  links: Links;
  events: Events;
  log: Logger;
  clock: Clock;
  /** How often devices measure their systems. */
  metricsIntervalSeconds: number;
  linkOptions?: CloudLinkOptions | undefined;
}

function single(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Whether all of it is known already, as nearly always: writing it again would be most of what a fleet's return costs. */
function isKnown({ enrolment, shown }: EnrolmentClaim, info: DeviceInfo): boolean {
  const { model, firmware_version: firmwareVersion, agent_version: agentVersion } = enrolment;
  return [{ model, firmwareVersion, agentVersion }, ...(shown ? [shown] : [])].every(
    (reported) =>
      reported.model === info.model &&
      reported.firmwareVersion === info.firmwareVersion &&
      reported.agentVersion === info.agentVersion,
  );
}

/** A device that is linked for moments only, each day, is not to be forgotten as one that is never seen. */
function isRecent(lastSeenAt: Date, now: Date): boolean {
  return now.getTime() - lastSeenAt.getTime() < 24 * 3600 * 1000;
}

/** Where devices' connections come in and become links. */
export function createLinkUpgradeHandler(dependencies: Dependencies): UpgradeRoute {
  const { enrolments, repository, links, events, log, clock, metricsIntervalSeconds } = dependencies;
  const { admission } = enrolments;

  /** Tells a device whether it is claimed, and by which link it can be. */
  async function sendState(enrolmentId: string, link: CloudLink): Promise<EnrolmentClaim | undefined> {
    const claim = await enrolments.getClaim(enrolmentId);
    if (!claim) {
      // Its enrolment was dropped: it enrols anew at its next connection.
      link.close('revoked');
      return undefined;
    }
    const activated = claim.shown !== null;
    const activationLink = activated ? null : enrolments.createActivationLink(claim.enrolment);
    await link.putState({ activated, activationLink, metricsIntervalSeconds });
    return claim;
  }

  function reportFailure(enrolmentId: string, what: string) {
    return (error: Error) => log.warn({ enrolmentId, err: error }, what);
  }

  /** One state after another, each read when it is sent: a late answer cannot bring an old one back. */
  const sending = new WeakMap<CloudLink, ReturnType<typeof sendState>>();
  function queueState(enrolmentId: string, link: CloudLink): ReturnType<typeof sendState> {
    const previous = sending.get(link) ?? Promise.resolve();
    const next = previous.catch(() => {}).then(() => sendState(enrolmentId, link));
    sending.set(link, next);
    return next;
  }

  events.subscribe('enrolmentChanged', ({ enrolmentId }) => {
    const link = links.get(enrolmentId);
    if (link) queueState(enrolmentId, link).catch(reportFailure(enrolmentId, 'device state not delivered'));
  });

  async function hold(enrolment: Enrolment, socket: Duplex): Promise<void> {
    const link = openCloudLink(socket, dependencies.linkOptions);
    links.add(enrolment.id, link);
    const { id: enrolmentId, serial_number: serialNumber } = enrolment;
    log.info({ serialNumber }, 'device linked');
    void link.closed.then((reason) => log.info({ serialNumber, reason }, 'device link ended'));
    const claim = await queueState(enrolmentId, link);
    const info = await link.getInfo();
    const now = clock.now();
    if (claim && isKnown(claim, info) && isRecent(claim.enrolment.last_seen_at, now)) return;
    await admission.run(() => repository.updateReported(enrolmentId, info, now));
  }

  async function enter(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const enrolment = await enrolments.admit({
      authorization: request.headers.authorization,
      serverUrl: single(request.headers[SERVER_URL_HEADER]),
      keyId: single(request.headers[KEY_ID_HEADER]),
    });
    const connection = await acceptLink(request, socket, head);
    hold(enrolment, connection).catch(reportFailure(enrolment.id, 'device did not answer on its link'));
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
