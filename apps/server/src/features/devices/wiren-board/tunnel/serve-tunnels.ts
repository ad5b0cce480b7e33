import type { Duplex } from 'node:stream';
import { FrpSession } from '@pult/frp';
import type { Clock } from '../../../../platform/clock.ts';
import { DomainError } from '../../../../platform/errors.ts';
import type { Logger } from '../../../../platform/log.ts';
import type { WirenBoardTunnelRefusal } from '../../../../platform/refusal-reasons.ts';
import type { ClientLimits } from '../../client-limits.ts';
import type { CloseReason } from '../../device-connection.ts';
import type { Enrolment } from '../../enrolments.repository.ts';
import type { EnrolmentsService } from '../../enrolments.service.ts';
import type { HoldDevice } from '../../hold-device.ts';
import type { DiagnosticsUploads } from '../diagnostics/uploads.ts';
import type { OpenBrokerTelemetry } from '../telemetry/broker-telemetry.ts';
import { createDescriptionTimes } from '../telemetry/description-times.ts';
import { FrpConnection } from './frp-connection.ts';

interface Dependencies {
  enrolments: Pick<EnrolmentsService, 'getClaimed' | 'admitProven' | 'createLoginToken'>;
  limits: Pick<ClientLimits, 'enterLogin'>;
  hold: HoldDevice;
  uploads: Pick<DiagnosticsUploads, 'request'>;
  openBroker: OpenBrokerTelemetry;
  /** How often they are asked for what they tell while nobody looks. */
  telemetryEveryMs: number;
  clock: Clock;
  log: Logger;
}

export interface Tunnels {
  /** A place for a client that has not logged in yet; undefined where too many wait: frpc comes again by itself. */
  enter(address: string): (() => void) | undefined;
  /** Serves one connection of frpc; whoever logs in there becomes the connection of its device. */
  serve(connection: Duplex, release: () => void): void;
}

/** A name that is longer is nobody's. */
const maxNameLength = 36;

/** Of the line, not of what came over it. */
const lost: ReadonlySet<CloseReason> = new Set(['transport', 'ping_timeout']);

/** Why a client whose controller is known has ended before it was ready. */
function reasonOf({ isRefused }: FrpSession, end: CloseReason): WirenBoardTunnelRefusal {
  if (isRefused) return 'not_proven';
  return lost.has(end) ? 'line_lost' : 'no_proxy';
}

/** What is done with the connections of frpc, by whatever way they came. */
export function serveTunnels(dependencies: Dependencies): Tunnels {
  const { enrolments, limits, hold, uploads, openBroker, telemetryEveryMs, clock, log } = dependencies;
  const descriptionsOf = createDescriptionTimes(clock);

  function noteRefusal(reason: WirenBoardTunnelRefusal, serialNumber: string): void {
    log.info({ serialNumber, reason }, 'tunnel of a Wiren Board controller refused');
  }

  async function findToken(
    user: string,
    remember: (enrolment: Enrolment) => void,
  ): Promise<string | undefined> {
    const enrolment = user.length <= maxNameLength ? await enrolments.getClaimed(user) : undefined;
    if (enrolment?.connection_kind !== 'wiren-board') {
      noteRefusal('not_claimed', user.slice(0, maxNameLength));
      return undefined;
    }
    remember(enrolment);
    return enrolments.createLoginToken(enrolment);
  }

  return {
    enter(address) {
      try {
        return limits.enterLogin(address);
      } catch (error) {
        if (error instanceof DomainError) log.debug({ address, ...error.logged }, 'tunnel not taken');
        else log.error({ err: error }, 'tunnel not taken');
        return undefined;
      }
    },

    serve(connection, release) {
      let enrolment: Enrolment | undefined;
      let isReady = false;
      const session = new FrpSession(connection, {
        findToken: (user) =>
          findToken(user, (found) => {
            enrolment = found;
          }),
        onReady: (ready) => {
          isReady = true;
          release();
          if (!enrolment) return; // nobody is ready without it
          const { id } = enrolment;
          const descriptions = descriptionsOf(enrolment);
          enrolments
            .admitProven(enrolment)
            .then((admitted) =>
              hold(
                admitted,
                new FrpConnection(ready, {
                  requestDiagnostics: (signal) => uploads.request(id, signal),
                  openBroker,
                  descriptions,
                  telemetryEveryMs,
                }),
              ),
            )
            .catch((error: Error) => {
              log.error({ err: error }, 'tunnel not taken');
              ready.close('transport');
            });
        },
      });
      void session.closed.then((end) => {
        release();
        if (enrolment && !isReady) noteRefusal(reasonOf(session, end), enrolment.serial_number);
      });
    },
  };
}
