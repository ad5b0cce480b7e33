import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Silence after which a peer counts as absent, in milliseconds. */
export const patienceMs = 5000;

/** A TCP connection; rejects with the socket's error, `ETIMEDOUT` after `patienceMs`. The caller ends it. */
export async function connectTcp(host: string, port: number): Promise<Socket> {
  const socket = connect({ host, port });
  socket.setTimeout(patienceMs, () => socket.destroy(silence()));
  await once(socket, 'connect');
  socket.setTimeout(0);
  return socket;
}

/** Ends the work by `ETIMEDOUT` where it does not end by itself. */
export async function withPatience<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(silence()), patienceMs);
  });
  try {
    return await Promise.race([work, ended]);
  } finally {
    clearTimeout(timer);
  }
}

function silence(): Error {
  return Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' });
}
