import { ApiError, type RouteName } from '@pult/contract';
import { readRequestLocale } from '../i18n/locale.ts';
import { saveFile } from '../save-file.ts';
import { observedFetch } from './connection.ts';

/**
 * Saves the CSV that a call answers as a file. A plain link cannot ask for CSV, nor for a language, and shows a
 * refusal in place of the page. `url`: of the call, with its query; `fallbackName`: where the answer names no file.
 */
export async function downloadCsv(route: RouteName, url: string, fallbackName: string): Promise<void> {
  const response = await observedFetch(url, {
    credentials: 'include',
    headers: { accept: 'text/csv', 'accept-language': readRequestLocale() },
  });
  if (!response.ok) throw new ApiError(route, response, undefined);
  const disposition = response.headers.get('content-disposition') ?? '';
  const name = /filename="([\w.-]+)"/.exec(disposition)?.[1] ?? fallbackName;
  saveFile(await response.blob(), name);
}
