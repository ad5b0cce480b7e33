// A node as far as NATS is concerned: listens for so many devices, and says of each that it is here.
//   holder.ts <NATS_URL> <count> <key in hex>
import { createId } from '@pult/server/database';
import { startBus } from './bus.ts';

const [url = '', count = '', key = ''] = process.argv.slice(2);

const memory = () => {
  global.gc?.();
  return process.memoryUsage.rss() / 2 ** 20;
};

const bus = await startBus(url, Buffer.from(key, 'hex'), 'holder');
const before = memory();
const ids = Array.from({ length: Number(count) }, () => createId());
for (const id of ids) {
  bus.subscribe(`pult.device.${id}`, () => ({
    type: 'here',
    node: 'holder',
    address: '127.0.0.1:7200',
    ticket: id,
  }));
}
await bus.flush();
process.send?.({ ids, before, after: memory() });
process.on('disconnect', () => process.exit(0));
