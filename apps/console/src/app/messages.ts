import * as accounts from '../features/accounts/messages.ts';
import { withParity } from '../shared/i18n/parity.ts';
import * as shared from '../shared/messages.ts';
import type { connectNamespaces } from './connect-messages.ts';
import type { insideNamespaces } from './inside-messages.ts';
import type { pageNamespaces } from './page-messages.ts';
import * as app from './shell/messages.ts';

/**
 * The namespaces of texts that every page needs, by their name; those of inside-messages.ts come after the login, those of
 * page-messages.ts and connect-messages.ts with their pages.
 * Both languages have the same keys, or this does not compile.
 */
export const namespaces = withParity({ shared, app, accounts });

type Namespaces = typeof namespaces &
  typeof insideNamespaces &
  typeof pageNamespaces &
  typeof connectNamespaces;

/** The texts in the form that i18next reads: by language, then by namespace. */
export const resources = {
  ru: Object.fromEntries(Object.entries(namespaces).map(([name, texts]) => [name, texts.ru])),
  en: Object.fromEntries(Object.entries(namespaces).map(([name, texts]) => [name, texts.en])),
};

/** Gives `t` its keys; English decides, as both have the same. */
export type Texts = { [Name in keyof Namespaces]: Namespaces[Name]['en'] };
