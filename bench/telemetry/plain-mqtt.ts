import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** MQTT 3.1.1 without passwords, at most once: no more of it than a peer to be measured needs. */
export interface PlainMqtt extends Disposable {
  publish(topic: string, value: string): void;
  /** All topics; what comes is counted and not looked at. */
  subscribe(): void;
  /** Of the connection, both ways, and the pieces in which they came and went. */
  readonly bytes: number;
  readonly pieces: number;
}

const pingMs = 60_000;

function packet(type: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  // Everything here is short.
  if (body.length > 127) throw new Error('too long for a bench');
  return Buffer.concat([Buffer.from([type, body.length]), body]);
}

function text(content: string): Buffer {
  const bytes = Buffer.from(content);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

export async function connectPlainMqtt(port: number, clientId: string): Promise<PlainMqtt> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  let bytes = 0;
  let pieces = 0;
  const count = (length: number) => {
    bytes += length;
    pieces += 1;
  };
  const send = (message: Buffer) => {
    count(message.length);
    socket.write(message);
  };
  send(packet(0x10, text('MQTT'), Buffer.from([4, 2, 0, 120]), text(clientId)));
  await once(socket, 'data');
  socket.on('data', (chunk) => count(chunk.length));
  const pinging = setInterval(() => send(packet(0xc0)), pingMs);
  return {
    publish: (topic, value) => send(packet(0x30, text(topic), Buffer.from(value))),
    subscribe: () => send(packet(0x82, Buffer.from([0, 1]), text('#'), Buffer.from([0]))),
    get bytes() {
      return bytes;
    },
    get pieces() {
      return pieces;
    },
    [Symbol.dispose]() {
      clearInterval(pinging);
      socket.destroy();
    },
  };
}
