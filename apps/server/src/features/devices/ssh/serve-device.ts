import type { ConcurrencyLimit } from '../../../platform/concurrency-limit.ts';
import type { Core } from '../../../platform/core.ts';
import { DomainError } from '../../../platform/errors.ts';
import { toNetwork } from '../../../platform/network.ts';
import type { SshIncoming } from '../../../platform/ssh/ssh-listener.ts';
import { sendBanner } from '../../../platform/ssh/ssh2-internals.ts';
import { tokenPeriodMs } from '../activation-token.ts';
import type { Enrolment } from '../enrolments.repository.ts';
import type { EnrolmentsService } from '../enrolments.service.ts';
import type { HoldDevice } from '../hold-device.ts';
import { refuseFloods } from './client-watch.ts';
import { serveTerminal } from './device-terminal.ts';
import { createForwards } from './forwards.ts';
import { openSshConnection } from './ssh-connection.ts';
import { describeState, type ToldState } from './ssh-texts.ts';

/** Milliseconds; for tests of what takes long. */
export interface SshKindOptions {
  /** How long a device may be connected that nobody claims. */
  unclaimedMs?: number;
  /** How long it may be logged in without a forward. */
  forwardMs?: number;
}

interface Dependencies extends SshKindOptions {
  core: Pick<Core, 'clock' | 'log'>;
  enrolments: Pick<EnrolmentsService, 'getClaim' | 'createActivationLink' | 'admitProven'>;
  hold: HoldDevice;
  /** Connected devices that nobody has claimed, by network. */
  unclaimed: ConcurrencyLimit;
}

/**
 * Serves a device from its login on; the answer is what the login calls once its key is proven. The device is linked by its
 * first forward: without one there is nothing to reach, and whoever only asks for the link cuts nobody off.
 */
export function serveDevice(
  dependencies: Dependencies,
  { connection, socket, address, noteLogin }: SshIncoming,
): (enrolment: Enrolment) => Promise<() => void> {
  const { core, enrolments, hold, unclaimed, unclaimedMs = tokenPeriodMs, forwardMs = 30_000 } = dependencies;
  const { clock, log } = core;

  function begin(enrolment: Enrolment, initial: ToldState, release: () => void): void {
    const { serial_number: serialNumber } = enrolment;
    let state = initial;
    let isHeld = false;
    // It has gone while its claim was looked up, and tells so no more.
    if (socket.destroyed) {
      release();
      return;
    }
    noteLogin();
    socket.on('close', release);
    if (state.activationLink !== null) sendBanner(connection, describeState(state));

    const forwards = createForwards();
    const terminal = serveTerminal(connection, { getState: () => state, hasForwards: () => isHeld });
    const device = openSshConnection({
      connection,
      socket,
      forwards,
      async putState({ activationLink }) {
        // By the link itself: a claim and its end may both have come before the first word about it.
        if (activationLink === state.activationLink) return;
        state = { serialNumber, activationLink };
        if (activationLink === null) {
          release();
          clearTimeout(expiry);
        }
        // Without a terminal a link is seen in the banner alone: by the device that comes back.
        if (!terminal.tell(state) && activationLink !== null) device.close('revoked');
      },
    });
    refuseFloods(connection, clock, () => device.cut('flood'));

    // An activation link that nobody has used is replaced by that of the next login.
    const expiry = setTimeout(() => device.close('shutdown'), unclaimedMs);
    if (state.activationLink === null) clearTimeout(expiry);
    const idle = setTimeout(() => connection.end(), forwardMs);
    socket.on('close', () => {
      clearTimeout(expiry);
      clearTimeout(idle);
    });

    function link(): void {
      isHeld = true;
      clearTimeout(idle);
      enrolments.admitProven(enrolment).then(
        (admitted) => {
          if (!socket.destroyed) hold(admitted, device);
        },
        (error: Error) => {
          log.warn({ serialNumber, err: error }, 'device by SSH not linked');
          device.close('transport');
        },
      );
    }

    connection.on('request', (accept, reject, name, forward) => {
      const isDone =
        name === 'tcpip-forward'
          ? forwards.add(forward)
          : name === 'cancel-tcpip-forward' && forwards.remove(forward);
      if (!isDone) return void reject?.();
      accept?.();
      if (name === 'tcpip-forward' && !isHeld) link();
    });
  }

  return async (enrolment) => {
    const claim = await enrolments.getClaim(enrolment.id);
    const activationLink = claim?.shown ? null : enrolments.createActivationLink(enrolment);
    const release = activationLink === null ? () => {} : unclaimed.acquire(toNetwork(address));
    if (!release) throw new DomainError('enrolments_limit_reached', 'too_many_connected');
    return () => begin(enrolment, { serialNumber: enrolment.serial_number, activationLink }, release);
  };
}
