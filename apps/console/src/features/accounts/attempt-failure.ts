import { ApiError } from '@pult/contract';
import { isToasted } from '../../shared/api/error-messages.ts';

/** Why a try failed that the server counts (a login, a code, a request for a mail), as its form tells it. */
export type AttemptFailure =
  | { kind: 'wrong' | 'unreachable' | 'failed'; isToasted: boolean }
  /** `until`: when the next try counts, in milliseconds of the browser's clock. */
  | { kind: 'throttled'; until: number; isToasted: boolean };

const defaultWait = 30;

export function readAttemptFailure(error: unknown, now = Date.now()): AttemptFailure {
  const told = { isToasted: isToasted(error) };
  if (!(error instanceof ApiError)) {
    return { kind: error instanceof TypeError ? 'unreachable' : 'failed', ...told };
  }
  if (error.status === 429) {
    const seconds = Number(error.response.headers.get('retry-after') ?? defaultWait);
    return { kind: 'throttled', until: now + (seconds > 0 ? seconds : defaultWait) * 1000, ...told };
  }
  return { kind: error.status === 400 || error.status === 401 ? 'wrong' : 'failed', ...told };
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.code === code;
}
