import { connect, createServer, type Socket } from 'node:net';
import { listen } from '@pult/testkit/in-test';
import { onTestFinished } from 'vitest';

/** Longer than either end takes to write what it has to say at once, in milliseconds. */
const delayMs = 40;

/** A line to a server of this machine that counts round trips. */
export interface CountedLine {
  port: number;
  /** Round trips of each connection until its newest bytes came to whoever dialled, TCP's own included; oldest first. */
  roundTrips: number[];
}

/**
 * Holds each piece back for a while, each way, so that what depends on nothing goes in one flight: a piece belongs to the
 * round trip after the newest whose answer had come when it was sent.
 */
export async function createCountedLine(port: number): Promise<CountedLine> {
  const roundTrips: number[] = [];
  const sockets = new Set<Socket>();

  function pass(from: Socket, to: Socket, send: () => number, arrive: (trip: number) => void): void {
    sockets.add(from);
    from.on('error', () => {});
    from.on('data', (bytes) => {
      const trip = send();
      setTimeout(() => {
        arrive(trip);
        to.write(bytes);
      }, delayMs);
    });
    from.on('end', () => setTimeout(() => to.end(), delayMs));
    from.on('close', () => setTimeout(() => to.destroy(), delayMs));
  }

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (inbound) => {
    const index = roundTrips.push(1) - 1;
    const outbound = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    /** Round trips whose questions have come, and those whose answers have. */
    let asked = 1;
    let answered = 1;
    const onQuestion = (trip: number) => {
      asked = trip;
    };
    const onAnswer = (trip: number) => {
      answered = trip;
      roundTrips[index] = trip;
    };
    pass(inbound, outbound, () => answered + 1, onQuestion);
    pass(outbound, inbound, () => asked, onAnswer);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  return { port: await listen(server), roundTrips };
}
