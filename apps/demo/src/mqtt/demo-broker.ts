import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Aedes } from 'aedes';
import type { Switches } from '../panel/panel-values.ts';
import { describeControls, type Message, readControls } from './building-controls.ts';

export interface DemoBroker {
  port: number;
  stop(): Promise<void>;
}

/** An MQTT broker on the loopback address with the values of one building controller, new ones every two seconds. */
export async function startDemoBroker(switches: Switches): Promise<DemoBroker> {
  const broker = await Aedes.createBroker();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    broker.handle(socket);
  });
  const publish = ({ topic, payload }: Message) =>
    new Promise<void>((resolve, reject) => {
      const packet = { cmd: 'publish', topic, payload, qos: 0, retain: true, dup: false } as const;
      broker.publish(packet, (error) => (error ? reject(error) : resolve()));
    });
  const tell = async () => {
    for (const message of readControls(switches, Date.now())) await publish(message);
  };
  for (const message of describeControls()) await publish(message);
  await tell();
  // A broker that is being stopped refuses the last ones.
  const timer = setInterval(() => void tell().catch(() => {}), 2000);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has an address object.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async stop() {
      clearInterval(timer);
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
      await new Promise<void>((resolve) => broker.close(resolve));
    },
  };
}
