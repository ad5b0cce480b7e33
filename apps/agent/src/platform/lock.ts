import { realpathSync, statSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { PlainError } from './plain-error.ts';

/**
 * An abstract Unix socket named after the folder's inode: the kernel gives it to one process and takes
 * it back when that process ends in any way, so there is no stale lock to clean up.
 */
function getLockName(stateDir: string): string {
  const { dev, ino } = statSync(realpathSync(stateDir));
  return `\0pult-agent-${dev}-${ino}`;
}

/** Throws `PlainError` when another agent runs on this folder. Close the result to give the lock back. */
export function acquireLock(stateDir: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      reject(
        isTaken ? new PlainError(`another agent already runs with the state folder ${stateDir}`) : error,
      );
    });
    server.listen(getLockName(stateDir), () => resolve(server.unref()));
  });
}

/** Whether an agent runs on this folder; false when there is no such folder. */
export function isLocked(stateDir: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let name: string;
    try {
      name = getLockName(stateDir);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') resolve(false);
      else reject(error);
      return;
    }
    const socket = connect(name);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
