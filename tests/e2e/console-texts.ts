import { connectNamespaces } from '../../apps/console/src/app/connect-messages.ts';
import { insideNamespaces } from '../../apps/console/src/app/inside-messages.ts';
import { namespaces } from '../../apps/console/src/app/messages.ts';
import { pageNamespaces } from '../../apps/console/src/app/page-messages.ts';
import { formatNumber } from '../../apps/console/src/shared/i18n/format.ts';

export type Language = 'en' | 'ru';

const all = { ...namespaces, ...insideNamespaces, ...pageNamespaces, ...connectNamespaces };
type Namespaces = typeof all;

function readTexts<Chosen extends Language>(language: Chosen) {
  return Object.fromEntries(Object.entries(all).map(([name, texts]) => [name, texts[language]])) as {
    [Name in keyof Namespaces]: Namespaces[Name][Chosen];
  };
}

/** The console's own texts, by language and namespace: a test names what it looks for, and retypes nothing. */
export const consoleTexts = { en: readTexts('en'), ru: readTexts('ru') };

/** A text with its `{{name}}`s filled in, as i18next does. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
}

/** The form of a text for a count, filled in; the console writes the count itself as `formatted`. */
export function fillPlural<Key extends string>(
  texts: { readonly [Form in `${Key}_one`]: string },
  { key, count, language }: { key: Key; count: number; language: Language },
  values: Readonly<Record<string, string>> = {},
): string {
  const form = `${key}_${new Intl.PluralRules(language).select(count)}`;
  const text = (texts as Readonly<Record<string, string>>)[form];
  if (text === undefined) throw new Error(`no text ${form}`);
  return fill(text, { formatted: formatNumber(count, language), ...values });
}
