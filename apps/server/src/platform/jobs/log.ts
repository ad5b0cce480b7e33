import { Logger as WorkerLogger } from 'graphile-worker';
import type { Logger } from '../log.ts';

/** What the queue's library says, in our log. */
export function createWorkerLogger(log: Logger): WorkerLogger {
  return new WorkerLogger(() => (level, message) => {
    if (level === 'error') log.error(message);
    else if (level === 'warning') log.warn(message);
    else log.debug(message);
  });
}
