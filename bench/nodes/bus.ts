import { createLog } from '@pult/server/database';
import { poll } from '@pult/testkit';
import { createNatsBus, type NatsBus } from '../../apps/server/src/platform/node-bus/nats-bus.ts';

/** The bus of a node, once it is connected. */
export async function startBus(url: string, key: Buffer, nodeId: string): Promise<NatsBus> {
  const bus = createNatsBus({
    settings: { urls: [url] },
    key,
    getNodeId: () => nodeId,
    clock: { now: () => new Date() },
    log: createLog('warn'),
  });
  bus.start();
  await poll(() => bus.isConnected, { what: 'NATS is reached' });
  return bus;
}
