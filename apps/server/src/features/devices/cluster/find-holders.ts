import { setTimeout as delay } from 'node:timers/promises';
import { BusError } from '../../../platform/cluster/bus/node-bus.ts';
import { DomainError } from '../../../platform/errors.ts';
import { type Holder, holderAnswer, subjectOf } from './device-messages.ts';
import type { DeviceNodes } from './nodes.ts';

export interface Target {
  enrolmentId: string;
  serialNumber: string;
}

/** What the database says of who holds a device, whom the broker may not reach. */
export interface HolderLeases {
  /** Whether a node that lives, as far as is known, holds it. */
  isHeld(enrolmentId: string): Promise<boolean>;
}

/** A link may be on its way from one node to another. */
const secondTryMs = 200;
/** When whoever asks is to ask again, in seconds. */
const retrySeconds = 5;

export function nodeUnreachable({ serialNumber }: Pick<Target, 'serialNumber'>): DomainError {
  return new DomainError('node_unreachable', { serialNumber, seconds: retrySeconds });
}

/** Asks the node that holds a device how it is reached for that service. Throws `controller_offline` or `node_unreachable`. */
export function createFindHolder({ bus }: Pick<DeviceNodes, 'bus'>, leases: HolderLeases) {
  /** Undefined where nobody says to hold it. */
  async function ask({ enrolmentId, serialNumber }: Target, service: string): Promise<Holder | undefined> {
    const body = await bus.request(subjectOf(enrolmentId), { type: 'open', service });
    const answer = holderAnswer.safeParse(body).data;
    if (answer?.type === 'here') return answer;
    if (answer?.type === 'waiting') throw new DomainError('controller_offline', 'waiting', { serialNumber });
    return undefined;
  }

  return async (target: Target, service: string): Promise<Holder> => {
    for (let isLast = false; ; isLast = true) {
      let isSilent = false;
      try {
        const holder = await ask(target, service);
        if (holder) return holder;
      } catch (error) {
        if (!(error instanceof BusError)) throw error;
        isSilent = error.failure === 'silent';
      }
      // That nobody answers, or that a node stands still, is believed together with the database alone.
      if (!(await leases.isHeld(target.enrolmentId))) {
        throw new DomainError('controller_offline', 'not_held', { serialNumber: target.serialNumber });
      }
      if (isLast || isSilent || !bus.isConnected) throw nodeUnreachable(target);
      await delay(secondTryMs);
    }
  };
}
export type FindHolder = ReturnType<typeof createFindHolder>;
