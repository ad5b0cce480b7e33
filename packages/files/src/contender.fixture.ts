// A process of its own for lock.test.ts: tries the lock when told, at the given millisecond, and says how it went.
import { acquireLock, type Lock, LockedError } from './index.ts';

let lock: Lock | undefined;

async function handle(message: { path: string; at: number } | 'release'): Promise<string> {
  if (message === 'release') {
    await lock?.release();
    return 'released';
  }
  while (Date.now() < message.at);
  try {
    lock = await acquireLock(message.path);
    return 'won';
  } catch (error) {
    return error instanceof LockedError ? `lost to ${error.pid}` : `failed: ${String(error)}`;
  }
}

process.on('message', (message: { path: string; at: number } | 'release') => {
  void handle(message).then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
