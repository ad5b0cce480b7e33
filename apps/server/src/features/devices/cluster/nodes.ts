import type { NodeBus } from '../../../platform/cluster/bus/node-bus.ts';
import type { NodeLink } from '../../../platform/cluster/link/node-link.ts';
import type { NodePeer } from '../../../platform/cluster/link/peer.ts';

/** The other nodes of the installation, as far as devices have to do with them. */
export interface DeviceNodes {
  bus: NodeBus;
  link: NodeLink;
  /** This node, as it is now. */
  getSelf: () => NodePeer;
}
