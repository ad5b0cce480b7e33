import { ApiError } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

/** The text of last resort, Russian in both languages (spec-coverage: Default text is the Russian word). */
const defaultMessage = 'Ошибка!';

function isUtf8Json(contentType: string | null): boolean {
  return /^application\/json\s*;\s*charset="?utf-8"?\s*$/i.test(contentType ?? '');
}

/** A field's value: one message or a list of them, at any depth. */
function flatten(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(flatten);
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(flatten);
  return value === null || value === undefined || value === '' ? [] : [String(value)];
}

async function readBody(response: Response): Promise<unknown> {
  try {
    return await response.clone().json();
  } catch {
    return undefined;
  }
}

/** Errors that a toast tells: the page that shows them does not repeat it. */
const toasted = new WeakSet<object>();

export function markToasted(error: object): void {
  toasted.add(error);
}

export function isToasted(error: unknown): boolean {
  return typeof error === 'object' && error !== null && toasted.has(error);
}

/** What a failed response tells the user (spec-coverage: Message extraction:). */
export async function readErrorMessages(error: ApiError): Promise<string[]> {
  if (!isUtf8Json(error.response.headers.get('content-type'))) return [error.message];
  const body = await readBody(error.response);
  const isObject = typeof body === 'object' && body !== null;
  const messages = isObject && 'detail' in body ? flatten(body.detail).slice(0, 1) : flatten(body);
  return messages.length > 0 ? messages : [defaultMessage];
}

/**
 * What a refused form has against its fields; empty when the answer blames no field. A toast tells it as well, but
 * goes before all is mended.
 */
export async function readFieldErrors(error: unknown): Promise<Record<string, string>> {
  if (!(error instanceof Error) || !('response' in error) || !(error.response instanceof Response)) return {};
  if (error.response.status !== 400) return {};
  const body = await readBody(error.response);
  if (typeof body !== 'object' || body === null || 'detail' in body) return {};
  const tell = (value: unknown) => flatten(value).join(' ') || defaultMessage;
  return Object.fromEntries(Object.entries(body).map(([field, value]) => [field, tell(value)]));
}

/** Two failures of one call may have said different things. */
const ids = new WeakMap<ApiError, number>();
let lastId = 0;

function idOf(error: ApiError): number {
  const id = ids.get(error) ?? ++lastId;
  ids.set(error, id);
  return id;
}

/**
 * Why a call failed, in the server's words where it answered. The body of an answer is read asynchronously; until then,
 * and in place of nothing, there is a no-break space.
 */
export function useErrorMessage(error: unknown): string {
  const { t } = useTranslation('shared');
  const { data } = useQuery({
    queryKey: ['error-messages', error instanceof ApiError ? idOf(error) : 0],
    queryFn: () => (error instanceof ApiError ? readErrorMessages(error) : []),
    staleTime: 0,
    gcTime: 0,
  });
  return error instanceof ApiError ? data?.join(' ') || '\u00a0' : t('unreachable');
}
