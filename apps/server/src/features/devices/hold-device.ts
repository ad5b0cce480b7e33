import type { KeyRotation } from '../../config/secrets.ts';
import type { Core } from '../../platform/core.ts';
import type { DeviceConnection } from './device-connection.ts';
import type { DeviceInfo } from './device-data.ts';
import type { EnrolmentState, EnrolmentsRepository } from './enrolments.repository.ts';
import type { Admitted, EnrolmentsService } from './enrolments.service.ts';
import type { LocalLinks } from './local-links.ts';

interface Dependencies {
  enrolments: Pick<EnrolmentsService, 'admission' | 'getClaim' | 'createActivationLink'>;
  repository: Pick<EnrolmentsRepository, 'updateReported' | 'markLinked'>;
  links: LocalLinks;
  /** How often devices measure their systems. */
  metricsIntervalSeconds: number;
  /** By which agents know updates of this installation: base64url of 32 bytes. */
  updateKey: string;
  updateKeyRotations: readonly KeyRotation[];
}

/** How often a device measures its system that is to move little: as seldom as its state can say. */
const savingIntervalSeconds = 240;

/** Keeps the connection of an admitted device, of whatever kind, until it ends. Failures are logged. */
export type HoldDevice = (
  admitted: Pick<Admitted, 'enrolment' | 'generation'>,
  connection: DeviceConnection,
) => void;

/** Whether all of it is known already, as nearly always: writing it again would be most of what a fleet's return costs. */
function isKnown({ enrolment, shown }: EnrolmentState, info: DeviceInfo): boolean {
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

export function createHoldDevice({ clock, events, log }: Core, dependencies: Dependencies): HoldDevice {
  const { enrolments, repository, links, metricsIntervalSeconds, updateKey, updateKeyRotations } =
    dependencies;

  /** Tells a device whether it is claimed, and by which link it can be. */
  async function sendState(
    enrolmentId: string,
    connection: DeviceConnection,
  ): Promise<EnrolmentState | undefined> {
    const claim = await enrolments.getClaim(enrolmentId);
    if (!claim) {
      // Its enrolment was dropped: it enrols anew at its next connection.
      connection.close('revoked');
      return undefined;
    }
    const activated = claim.shown !== null;
    const activationLink = activated ? null : enrolments.createActivationLink(claim.enrolment);
    await connection.putState?.({
      activated,
      activationLink,
      metricsIntervalSeconds: claim.isSaving ? savingIntervalSeconds : metricsIntervalSeconds,
      isSaving: claim.isSaving,
      updateKey,
      // An idle link costs nothing more where there was none.
      ...(updateKeyRotations.length > 0 ? { updateKeyRotations: [...updateKeyRotations] } : {}),
    });
    return claim;
  }

  function reportFailure(enrolmentId: string, what: string) {
    return (error: Error) => log.warn({ enrolmentId, err: error }, what);
  }

  /** One state after another, each read when it is sent: a late answer cannot bring an old one back. */
  const sending = new WeakMap<DeviceConnection, ReturnType<typeof sendState>>();
  function queueState(enrolmentId: string, connection: DeviceConnection): ReturnType<typeof sendState> {
    const previous = sending.get(connection) ?? Promise.resolve();
    const next = previous.catch(() => {}).then(() => sendState(enrolmentId, connection));
    sending.set(connection, next);
    return next;
  }

  function tellState(enrolmentId: string): void {
    const connection = links.get(enrolmentId);
    if (!connection) return;
    queueState(enrolmentId, connection).catch(reportFailure(enrolmentId, 'device state not delivered'));
  }
  events.subscribe('enrolmentChanged', ({ enrolmentId }) => tellState(enrolmentId));

  events.subscribe('eventsMissed', () => {
    for (const enrolmentId of links.listIds()) tellState(enrolmentId);
  });

  links.onChange((enrolmentId, change) => {
    // What changed while it was cut was told to nobody.
    if (change === 'waiting') tellState(enrolmentId);
  });

  const hold = async (...[{ enrolment, generation }, connection]: Parameters<HoldDevice>): Promise<void> => {
    links.add(enrolment.id, connection, generation);
    const { id: enrolmentId, serial_number: serialNumber } = enrolment;
    log.info({ serialNumber }, 'device linked');
    void connection.closed.then((reason) => log.info({ serialNumber, reason }, 'device link ended'));
    const claim = await queueState(enrolmentId, connection);
    if (claim && claim.enrolment.linked_at === null) {
      await enrolments.admission.run(() => repository.markLinked(enrolmentId, clock.now()));
    }
    const info = await connection.getInfo?.();
    const now = clock.now();
    if (!info || (claim && isKnown(claim, info) && isRecent(claim.enrolment.last_seen_at, now))) return;
    await enrolments.admission.run(() => repository.updateReported(enrolmentId, info, now));
  };

  return (admitted, connection) => {
    hold(admitted, connection).catch(
      reportFailure(admitted.enrolment.id, 'device did not answer on its link'),
    );
  };
}
