import type { Core } from '../../core.ts';
import type { Feature } from '../../feature.ts';
import { createNatsBus } from '../bus/nats-bus.ts';
import type { NodeBus } from '../bus/node-bus.ts';
import { shareEvents } from '../bus/shared-events.ts';
import { createNodeLink, type NodeLink } from './node-link.ts';
import { createNodeLinkMetrics } from './node-metrics.ts';
import type { NodePeer } from './peer.ts';

/** This run of the server among the others. */
interface ThisNode {
  /** Another one after its lease was lost. */
  readonly id: string;
  readonly hasLease: boolean;
  readonly keys: { readonly messages: Buffer; readonly authority: Buffer };
  onLost(listener: () => void): unknown;
}

/** How the others are reached, and reach this one. */
interface Settings {
  readonly natsUrls: readonly string[];
  readonly natsCreds?: string;
  readonly address: { readonly host: string; readonly port: number };
  readonly port: number;
}

/** The other nodes of the installation. */
export interface OtherNodes extends Feature {
  readonly bus: NodeBus;
  readonly link: NodeLink;
  /** This node, as it is now. */
  getSelf(): NodePeer;
  /** It has not heard of the others for so long that others are better asked, or is not believed by them to be there. */
  readonly isCutOff: boolean;
}

/** A broker that is away for no longer is nobody's concern. */
const cutOffAfterMs = 10_000;

function formatAddress({ host, port }: Settings['address']): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** What one node is to the others, put together: the bus, the events on it, and the connections for streams. */
export async function createOtherNodes(
  { clock, events, log }: Pick<Core, 'clock' | 'events' | 'log'>,
  { node, settings }: { node: ThisNode; settings: Settings },
): Promise<OtherNodes> {
  const bus = createNatsBus({
    settings: { urls: settings.natsUrls, creds: settings.natsCreds },
    key: node.keys.messages,
    getNodeId: () => node.id,
    clock,
    log,
  });
  const link = await createNodeLink({ material: node.keys.authority, nodeId: node.id, log });
  const shared = shareEvents({ events, bus, log });
  const address = formatAddress(settings.address);
  /** Nobody is to come to a node that starts before it has heard of them. */
  let cutSince: number | undefined = Number.NEGATIVE_INFINITY;
  bus.onConnection((isConnected) => {
    cutSince = isConnected ? undefined : performance.now();
  });
  node.onLost(() => {
    link.renew(node.id).catch((error: Error) => log.error({ err: error }, 'no certificate for this node'));
  });

  return {
    name: 'other-nodes',
    bus,
    link,
    getSelf: () => ({ id: node.id, address }),
    get isCutOff() {
      const isUnheard = cutSince !== undefined && performance.now() - cutSince > cutOffAfterMs;
      return isUnheard || !node.hasLease;
    },
    metrics: createNodeLinkMetrics(bus, link, shared),
    async start() {
      await link.listen(settings.address.host, settings.port);
      shared.start();
      bus.start();
    },
    async stop() {
      shared.stop();
      await Promise.all([bus.stop(), link.close()]);
    },
  };
}
