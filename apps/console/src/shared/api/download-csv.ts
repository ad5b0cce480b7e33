import { ApiError, buildPath, type Locale, type RouteName } from '@pult/contract';
import { readRequestLocale } from '../i18n/locale.ts';
import { saveFile } from '../save-file.ts';
import { observedFetch } from './connection.ts';

type Query = Parameters<typeof buildPath>[2];

/**
 * Saves the CSV that a call answers as a file. A plain link cannot ask for CSV, nor for a language, and shows a
 * refusal in place of the page. `fallbackName`: where the answer names no file.
 */
export async function downloadCsv(
  route: RouteName,
  { params = {}, query = {} }: { params?: Record<string, string>; query?: Query },
  fallbackName: string,
): Promise<void> {
  const locale = readRequestLocale();
  const url = buildPath(route, params, { ...query, ...askForSpreadsheet(locale) });
  const response = await observedFetch(url, {
    credentials: 'include',
    headers: { accept: 'text/csv', 'accept-language': locale },
  });
  if (!response.ok) throw new ApiError(route, response, undefined);
  const disposition = response.headers.get('content-disposition') ?? '';
  const name = /filename="([\w.-]+)"/.exec(disposition)?.[1] ?? fallbackName;
  saveFile(await response.blob(), name);
}

/** A Russian spreadsheet takes what programs do for one column of texts: it parts columns by semicolons. */
function askForSpreadsheet(locale: Locale): Query {
  if (locale !== 'ru') return {};
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  // Some browsers do not know it, and one names what no server does: Etc/Unknown.
  return { time_zone: timeZone && !timeZone.endsWith('Unknown') ? timeZone : 'UTC' };
}
