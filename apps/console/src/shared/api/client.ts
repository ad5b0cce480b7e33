import { createClient } from '@pult/contract';
import { readRequestLocale } from '../i18n/locale.ts';
import { observedFetch } from './connection.ts';

/** Every call of the console goes through this client, in the stored language. */
export const api = createClient({ getLocale: readRequestLocale, fetch: observedFetch });
