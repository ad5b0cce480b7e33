import { DomainError } from '../../platform/errors.ts';
import type { Target } from './cluster/find-holders.ts';
import type { RemoteLink } from './cluster/remote-link.ts';
import type { RemoteLinks } from './cluster/remote-links.ts';
import type { DeviceConnection } from './device-connection.ts';
import type { LocalLinks } from './local-links.ts';

/** Says how a device is reached from this node, whichever node holds its link, and connects to it: what people open goes by this. */
export interface DeviceRouter extends Pick<LocalLinks, 'open' | 'getWait' | 'onChange'> {
  /** The link of a device, as far as is known without asking another node; the same for as long as it is the same link. */
  get(enrolmentId: string): DeviceConnection | RemoteLink | undefined;
  /** Throws `controller_offline`, or `node_unreachable` where the node that holds the device is not reached. */
  require(device: Target): Promise<void>;
  /** Those of them that are linked, to whatever node. */
  listReached(enrolmentIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Whether any device is linked, to whatever node. */
  isAnyReached(): Promise<boolean>;
}

/** Links of other nodes, and what the database says of all links. */
interface Remote extends RemoteLinks {
  listOnline(enrolmentIds: readonly string[]): Promise<string[]>;
  isAnyOnline(): Promise<boolean>;
}

/** `remote` where there are other nodes. */
export function createDeviceRouter(local: LocalLinks, remote: Remote | undefined): DeviceRouter {
  return {
    get(enrolmentId) {
      const here = local.get(enrolmentId);
      if (here || !remote) return here;
      const there = remote.get(enrolmentId);
      return there?.isWaiting ? undefined : there;
    },

    async require(device) {
      if (local.get(device.enrolmentId)) return;
      if (remote) await remote.find(device);
      else throw new DomainError('controller_offline', 'not_linked', { serialNumber: device.serialNumber });
    },

    async listReached(enrolmentIds) {
      const [here, others] = [new Set<string>(), [] as string[]];
      for (const id of enrolmentIds)
        if (local.get(id)) here.add(id);
        else others.push(id);
      const online = others.length > 0 && remote ? await remote.listOnline(others) : [];
      return new Set([...here, ...online]);
    },

    isAnyReached: async () => (remote ? remote.isAnyOnline() : local.listIds().length > 0),

    open(device, endpoint, options) {
      const isHere = !remote || local.get(device.enrolmentId) !== undefined;
      return (isHere ? local : remote).open(device, endpoint, options);
    },

    getWait: (enrolmentId) => local.getWait(enrolmentId) ?? remote?.get(enrolmentId)?.getWait(),

    onChange(listener) {
      const endings = [local.onChange(listener), remote?.onChange(listener)];
      return () => {
        for (const end of endings) end?.();
      };
    },
  };
}
