export type FindingStatus = 'ok' | 'warn' | 'fail';

/** One thing that was looked at. `action` says what to do where it is not well. Holds no secret. */
export interface Finding {
  status: FindingStatus;
  text: string;
  action?: string;
}

export const ok = (text: string): Finding => ({ status: 'ok', text });
export const warn = (text: string, action: string): Finding => ({ status: 'warn', text, action });
export const fail = (text: string, action: string): Finding => ({ status: 'fail', text, action });

/** Whatever others have thrown or answered, as one line that steers no terminal. */
export function describeError(error: unknown): string {
  const { message, code } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  // Node's AggregateError of several addresses has no message.
  return oneLine(message || code || String(error));
}

function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, 300);
}
