import { type Client, createClient } from '@pult/contract';
import { readRequestLocale } from '../i18n/locale.ts';
import { withConfirmation } from './confirmation.ts';
import { observedFetch } from './connection.ts';

const send = createClient({ getLocale: readRequestLocale, fetch: observedFetch });

/** Every call of the console goes through this client: in the stored language, and confirmed by a code where it must be. */
export const api: Client = (name, ...rest) => withConfirmation(name, () => send(name, ...rest));
