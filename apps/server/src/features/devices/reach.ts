import { DomainError } from '../../platform/errors.ts';
import type { Target } from './cluster/find-holders.ts';
import type { HeldElsewhere } from './cluster/held-elsewhere.ts';
import type { ReachElsewhere } from './cluster/reach-elsewhere.ts';
import type { DeviceConnection } from './device-connection.ts';
import type { Links } from './links.ts';

/** Devices that are reached from this node, whichever node holds them: what people open goes by this. */
export interface DeviceReach extends Pick<Links, 'open' | 'getWait' | 'onChange'> {
  /** The link of a device, as far as is known without asking another node; the same for as long as it is the same link. */
  get(enrolmentId: string): DeviceConnection | HeldElsewhere | undefined;
  /** Throws `controller_offline`, or `node_unreachable` where the node that holds the device is not reached. */
  require(device: Target): Promise<void>;
  /** Those of them that are linked, to whatever node. */
  listReached(enrolmentIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Whether any device is linked, to whatever node. */
  isAnyReached(): Promise<boolean>;
}

/** Devices of other nodes, and what the database says of all of them. */
interface Elsewhere extends ReachElsewhere {
  listOnline(enrolmentIds: readonly string[]): Promise<string[]>;
  isAnyOnline(): Promise<boolean>;
}

/** `elsewhere` where there are other nodes. */
export function createReach(links: Links, elsewhere: Elsewhere | undefined): DeviceReach {
  const getElsewhere = (enrolmentId: string) => {
    const held = elsewhere?.get(enrolmentId);
    return held?.isWaiting ? undefined : held;
  };

  const reach: DeviceReach = {
    get: (enrolmentId) => links.get(enrolmentId) ?? getElsewhere(enrolmentId),

    async require(device) {
      if (links.get(device.enrolmentId)) return;
      if (elsewhere) await elsewhere.find(device);
      else throw new DomainError('controller_offline', 'not_linked', { serialNumber: device.serialNumber });
    },

    async listReached(enrolmentIds) {
      const [here, others] = [new Set<string>(), [] as string[]];
      for (const id of enrolmentIds)
        if (links.get(id)) here.add(id);
        else others.push(id);
      const elsewhereOnline = others.length > 0 && elsewhere ? await elsewhere.listOnline(others) : [];
      return new Set([...here, ...elsewhereOnline]);
    },

    isAnyReached: async () => (elsewhere ? elsewhere.isAnyOnline() : links.listIds().length > 0),

    open(device, endpoint, options) {
      const isHere = !elsewhere || links.get(device.enrolmentId) !== undefined;
      return isHere ? links.open(device, endpoint, options) : elsewhere.open(device, endpoint, options);
    },

    getWait: (enrolmentId) => links.getWait(enrolmentId) ?? elsewhere?.get(enrolmentId)?.getWait(),

    onChange(listener) {
      const endings = [links.onChange(listener), elsewhere?.onChange(listener)];
      return () => {
        for (const end of endings) end?.();
      };
    },
  };
  return reach;
}
