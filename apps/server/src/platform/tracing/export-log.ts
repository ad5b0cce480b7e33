import type { DiagLogger } from '@opentelemetry/api';
import type { Logger } from '../log.ts';

const intervalMs = 5 * 60_000;

/** What the library says of itself, such as of a receiver that does not answer: at most each five minutes. */
export function createExportLog(log: Logger): DiagLogger {
  let silentUntil = 0;
  const tell = (message: string) => {
    const now = performance.now();
    if (now < silentUntil) return;
    silentUntil = now + intervalMs;
    log.warn({ problem: describe(message) }, 'traces could not be sent');
  };
  return { error: tell, warn: tell, info() {}, debug() {}, verbose() {} };
}

/** It says errors as JSON, with their stacks. */
function describe(message: string): string {
  try {
    const { message: text, code } = JSON.parse(message) as { message?: unknown; code?: unknown };
    return [text, code].filter((part) => typeof part === 'string' && part !== '').join(' ');
  } catch {
    return message.slice(0, 500);
  }
}
