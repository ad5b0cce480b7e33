import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A chunk of a byte has two, a small request ten: some 250 chunks take a millisecond. Twice as many as there are by chance
 * in what Node reads at once of a large chunk, which is not to be cut in two for nothing.
 */
const linesPerTurn = 512;
const newLine = 0x0a;

/** Where the last line ends that may be parsed at once. */
function findEnd(bytes: Buffer, from: number): number {
  let end = from;
  for (let lines = 0; lines < linesPerTurn; lines += 1) {
    const at = bytes.indexOf(newLine, end);
    if (at === -1) return bytes.length;
    end = at + 1;
  }
  return end;
}

/** Of a body that comes as it is, in bytes: no line of it is anybody's work. */
function plainLength({ headers }: IncomingMessage): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : 0;
}

/**
 * Bounds what Node's HTTP parser does for one connection in a turn of the event loop, before anybody is asked whether it
 * may. Node reads up to 2 MB of a connection at once, and calls back for each of the 30,000 chunks in the first 200 kB of
 * an upload in single bytes. What is left of a read goes back to the socket, and is parsed in the next turn.
 * `event` is the one by which `server` takes a connection.
 */
export function applyParserBudget(server: Server, event: 'connection' | 'secureConnection'): void {
  const connections = new WeakMap<object, { begin: (request: IncomingMessage) => void; leave: () => void }>();

  server.on(event, (socket: Socket) => {
    const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[];
    if (!parse) throw new Error('Node’s HTTP server does not listen to its connection');
    let next: NodeJS.Immediate | undefined;
    /** HTTP goes on in the middle of a turn, too: after each piece of a body, after each answer. */
    let isWanted = true;
    let hasLeft = false;
    let begun: IncomingMessage | undefined;
    /** Bytes that are still to come of a body, at least. */
    let plain = 0;

    function putBack(bytes: Buffer): void {
      socket.pause();
      socket.unshift(bytes);
    }

    function takeTurn(bytes: Buffer): void {
      if (next) {
        isWanted = true;
        putBack(bytes);
        return;
      }
      const end = plain >= bytes.length ? bytes.length : findEnd(bytes, plain);
      plain = Math.max(0, plain - end);
      parse?.call(socket, bytes.subarray(0, end));
      // How much of it has come with its head is not known.
      if (begun) plain = Math.max(0, plainLength(begun) - end);
      begun = undefined;
      const rest = bytes.subarray(end);
      if (rest.length === 0) return;
      if (hasLeft) {
        // Behind what the parser gave back.
        socket.push(rest);
        return;
      }
      // HTTP itself may want no more for now, and then goes on when it does.
      isWanted = !socket.isPaused();
      putBack(rest);
      next = setImmediate(() => {
        next = undefined;
        if (isWanted) socket.resume();
      });
    }

    // Node's parser reads from the socket's handle itself until somebody else listens.
    socket.on('data', takeTurn);
    socket.removeListener('data', parse);
    connections.set(socket, {
      begin: (request) => {
        begun = request;
      },
      leave: () => {
        hasLeft = true;
        socket.removeListener('data', takeTurn);
      },
    });
  });
  server.prependListener('request', (request) => connections.get(request.socket)?.begin(request));
  server.prependListener('upgrade', (_, socket) => connections.get(socket)?.leave());
}
