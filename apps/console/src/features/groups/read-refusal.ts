import { ApiError } from '@pult/contract';
import { readErrorMessages, readFieldErrors } from '../../shared/api/error-messages.ts';

/**
 * Why a call of groups was refused, to be shown where it was asked for: such calls have no toast
 * (spec-coverage: controllers-count and groups stay silent).
 * Undefined for what the error catalogue tells or leads elsewhere: no session, no right, no server.
 */
export async function readRefusal(error: unknown): Promise<string | undefined> {
  if (!(error instanceof ApiError)) return undefined;
  const { status } = error;
  if (status === 401 || status === 403 || status >= 500) return undefined;
  const fields = Object.values(await readFieldErrors(error));
  return (fields.length > 0 ? fields : await readErrorMessages(error)).join(' ');
}
