import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { listen } from './listen.ts';

export interface FaultProxy {
  port: number;
  /** Passes nothing more, and closes nothing: a line that went dead. */
  freeze(): void;
  /** Resets both sides. */
  reset(): void;
  /** Closes both sides in the regular way, as a killed process's kernel does. */
  finish(): void;
}

/** A TCP relay to `port` that can be broken. */
export async function createFaultProxy(port: number): Promise<FaultProxy> {
  const sockets = new Set<Socket>();
  const add = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };
  const each = (act: (socket: Socket) => void) => {
    for (const socket of sockets) act(socket);
  };
  const server = createServer((inner) => {
    const outer = connect(port, '127.0.0.1');
    add(inner);
    add(outer);
    inner.pipe(outer).pipe(inner);
    inner.on('close', () => outer.destroy());
    outer.on('close', () => inner.destroy());
  });
  const proxyPort = await listen(server);
  onTestFinished(() => each((socket) => socket.destroy()));
  return {
    port: proxyPort,
    freeze: () =>
      each((socket) => {
        socket.unpipe();
        socket.pause();
      }),
    reset: () => each((socket) => socket.resetAndDestroy()),
    finish: () => each((socket) => socket.destroy()),
  };
}
