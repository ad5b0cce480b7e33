import type { Text } from '@pult/contract';
import { oneLine } from '../platform/one-line.ts';

export type FindingStatus = 'ok' | 'warn' | 'fail';

/** One thing that was looked at. `action` says what to do where it is not well. Holds no secret. */
export interface Finding {
  status: FindingStatus;
  text: Text;
  action?: Text;
}

export const ok = (text: Text): Finding => ({ status: 'ok', text });
export const warn = (text: Text, action: Text): Finding => ({ status: 'warn', text, action });
export const fail = (text: Text, action: Text): Finding => ({ status: 'fail', text, action });

/** Whatever others have thrown or answered, as one line that steers no terminal. */
export function describeError(error: unknown): string {
  const { message, code } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  // Node's AggregateError of several addresses has no message.
  return oneLine(message || code || String(error));
}
