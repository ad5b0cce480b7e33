import { ApiError } from '@pult/contract';

/** Why a login failed, as the form tells it. */
export type LoginFailure =
  | { kind: 'wrong' | 'unreachable' | 'failed' }
  /** `until`: when the next try counts, in milliseconds of the browser's clock. */
  | { kind: 'throttled'; until: number };

const defaultWait = 30;

export function readLoginFailure(error: unknown, now = Date.now()): LoginFailure {
  if (!(error instanceof ApiError)) return { kind: error instanceof TypeError ? 'unreachable' : 'failed' };
  if (error.status === 429) {
    const seconds = Number(error.response.headers.get('retry-after') ?? defaultWait);
    return { kind: 'throttled', until: now + (seconds > 0 ? seconds : defaultWait) * 1000 };
  }
  return { kind: error.status === 400 || error.status === 401 ? 'wrong' : 'failed' };
}
