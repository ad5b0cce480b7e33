import * as accounts from '../features/accounts/messages.ts';
import * as activation from '../features/activation/messages.ts';
import * as controllers from '../features/controllers/messages.ts';
import * as organizations from '../features/organizations/messages.ts';
import * as tunnels from '../features/tunnels/messages.ts';
import { withParity } from '../shared/i18n/parity.ts';
import * as shared from '../shared/messages.ts';
import * as app from './shell/messages.ts';

/** Every namespace of texts by its name. Both languages have the same keys, or this does not compile. */
export const namespaces = withParity({
  shared,
  app,
  accounts,
  organizations,
  controllers,
  activation,
  tunnels,
});

type Namespaces = typeof namespaces;

/** The texts in the form that i18next reads: by language, then by namespace. */
export const resources = {
  ru: Object.fromEntries(Object.entries(namespaces).map(([name, texts]) => [name, texts.ru])),
  en: Object.fromEntries(Object.entries(namespaces).map(([name, texts]) => [name, texts.en])),
};

/** Gives `t` its keys; English decides, as both have the same. */
export type Texts = { [Name in keyof Namespaces]: Namespaces[Name]['en'] };
