import { ApiError } from '@pult/contract';

/** Why a try failed that the server counts (a login, a code, a request for a mail), as its form tells it. */
export type AttemptFailure =
  | { kind: 'wrong' | 'unreachable' | 'failed' }
  /** `until`: when the next try counts, in milliseconds of the browser's clock. */
  | { kind: 'throttled'; until: number };

const defaultWait = 30;

export function readAttemptFailure(error: unknown, now = Date.now()): AttemptFailure {
  if (!(error instanceof ApiError)) return { kind: error instanceof TypeError ? 'unreachable' : 'failed' };
  if (error.status === 429) {
    const seconds = Number(error.response.headers.get('retry-after') ?? defaultWait);
    return { kind: 'throttled', until: now + (seconds > 0 ? seconds : defaultWait) * 1000 };
  }
  return { kind: error.status === 400 || error.status === 401 ? 'wrong' : 'failed' };
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.code === code;
}
