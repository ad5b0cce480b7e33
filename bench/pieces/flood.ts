/** A process of its own: writes single bytes of a user over that many connections, as fast as they are taken. */
import { connect, type Socket } from 'node:net';

/** How a connection begins, and what is sent over it again and again. */
export interface Flood {
  port: number;
  heads: string[];
  /** `upload`: chunks of one byte of a request's body. `socket`: frames of one byte of a WebSocket. */
  kind: 'upload' | 'socket';
}

const pieces = 8_000;
const floods = {
  upload: Buffer.from('1\r\nx\r\n'.repeat(pieces)),
  // Final, binary, masked by zeros.
  socket: Buffer.from('828100000000'.concat('78').repeat(pieces), 'hex'),
};

let open = 0;
let sent = 0;

function start(port: number, head: string, bytes: Buffer): void {
  const socket: Socket = connect(port, '127.0.0.1');
  const send = () => {
    do sent += pieces;
    while (!socket.destroyed && socket.write(bytes));
  };
  open += 1;
  socket.on('error', () => {});
  socket.on('close', () => {
    open -= 1;
  });
  socket.on('drain', send);
  if (head.includes('Upgrade:')) socket.once('data', send);
  else socket.once('connect', send);
  socket.on('data', () => {});
  socket.write(head);
}

process.on('message', (flood: Flood | 'count') => {
  if (flood === 'count') process.send?.({ open, sent });
  else for (const head of flood.heads) start(flood.port, head, floods[flood.kind]);
});
process.send?.('ready');
