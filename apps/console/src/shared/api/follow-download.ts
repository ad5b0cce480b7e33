import { ApiError, type RouteName } from '@pult/contract';
import { readRequestLocale } from '../i18n/locale.ts';
import { saveFrom } from '../save-file.ts';
import { observedFetch } from './connection.ts';

/**
 * Hands a file of the API to the browser's downloads, which go on without this page and can be resumed. They would keep
 * a refusal as the file, so it is asked for first, without its bytes.
 */
export async function followDownload(route: RouteName, url: string): Promise<void> {
  const ask = (method: 'HEAD' | 'GET') =>
    observedFetch(url, {
      method,
      credentials: 'include',
      headers: { 'accept-language': readRequestLocale() },
    });
  const { ok } = await ask('HEAD');
  // Only an answer to GET says why.
  const refusal = ok ? undefined : await ask('GET');
  if (refusal && !refusal.ok) throw new ApiError(route, refusal, undefined);
  await refusal?.body?.cancel();
  saveFrom(url);
}
