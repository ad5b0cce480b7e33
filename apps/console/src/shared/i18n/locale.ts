import { defaultLocale, isLocale, type Locale, localeCookie } from '@pult/contract';
import { readPreference, writePreference } from '../preferences/storage.ts';

const storageName = 'locale';

/** The language of the texts: the stored one, else the browser's, else en (spec-coverage: Locale: saved in local storage). */
export function detectLocale(languages: readonly string[] = navigator.languages): Locale {
  const stored = readPreference(storageName);
  if (isLocale(stored)) return stored;
  const browser = languages[0]?.slice(0, 2).toLowerCase();
  return isLocale(browser) ? browser : 'en';
}

/** The language of requests: the stored one, else ru (spec-coverage: accept-language from the stored preference). */
export function readRequestLocale(): Locale {
  const stored = readPreference(storageName);
  return isLocale(stored) ? stored : defaultLocale;
}

/** For links, event streams and WebSockets as well, whose header no page can choose: a cookie goes with them. */
export function storeLocale(locale: Locale): void {
  writePreference(storageName, locale);
  // biome-ignore lint/suspicious/noDocumentCookie: what could do it otherwise (CookieStore) is there with https alone
  document.cookie = `${localeCookie}=${locale}; path=/; max-age=31536000; samesite=lax`;
}
