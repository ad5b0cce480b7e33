import { setTimeout as wait } from 'node:timers/promises';
import { type DeviceCertificates, WirenBoardDevice } from '@pult/testkit';

/** Each may ask twice a second for ever: so many ask as often as the fleet does whose part they play. */
const agents = 50;

export interface Polls {
  /** Milliseconds of each, from its TCP connection to the end of its answer. */
  times: number[];
  /** Answers of another status, and polls that had none. */
  failures: string[];
}

/**
 * Agents of Wiren Board controllers that ask for news so many times a second in all, until they are told to end: each time by a connection
 * of its own, with a whole handshake of TLS and a signature, as their curl does. Nobody has claimed them.
 */
export async function startPolls(
  port: number,
  certificates: DeviceCertificates,
  perSecond: number,
): Promise<() => Promise<Polls>> {
  const devices: WirenBoardDevice[] = [];
  for (let number = 0; number < agents; number++) {
    const serialNumber = `POLL${String(number).padStart(4, '0')}`;
    const device = new WirenBoardDevice(serialNumber, await certificates.issue(serialNumber), {
      port,
      isTls: true,
    });
    await device.startUp();
    devices.push(device);
  }
  const polls: Polls = { times: [], failures: [] };
  let isOver = false;
  const running = devices.map(async (device, index) => {
    const everyMs = (agents / perSecond) * 1000;
    await wait((everyMs * index) / agents);
    for (let due = performance.now(); !isOver; due += everyMs) {
      await wait(Math.max(0, due - performance.now()));
      const begun = performance.now();
      try {
        const { status } = await device.call('GET', 'events/');
        if (status !== 204) polls.failures.push(`answered ${status}`);
      } catch (error) {
        polls.failures.push(error instanceof Error ? error.message : String(error));
      }
      polls.times.push(performance.now() - begun);
    }
  });
  return async () => {
    isOver = true;
    await Promise.all(running);
    return polls;
  };
}
