import { ApiError, type RouteName } from '@pult/contract';
import { readRequestLocale } from '../i18n/locale.ts';
import { observedFetch } from './connection.ts';

/** Hands a file to the browser's downloads. */
function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken it up by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

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
