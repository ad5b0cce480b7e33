/** The languages of the product. The first is the default for requests (spec-coverage: Default request language ru). */
export const locales = ['ru', 'en'] as const;
export type Locale = (typeof locales)[number];
export const defaultLocale: Locale = 'ru';

/**
 * In what the console's browser sends without a header that a page can choose (links, event streams, WebSockets): the language
 * of all its other requests.
 */
export const localeCookie = 'pult_locale';

/**
 * A text in every language of the product. `{name}` is replaced by the parameter of that name, `{name:one|few|many}` by
 * the form that goes with its number (spec-coverage: Russian plural rule with three forms); English has two forms.
 */
export type Text = Readonly<Record<Locale, string>>;

export function isLocale(value: unknown): value is Locale {
  return locales.some((locale) => locale === value);
}

/** Replaces `{name}` by its value; a missing value leaves the placeholder, so that a gap is seen in tests. */
export function formatText(
  text: Text,
  locale: Locale,
  values: Readonly<Record<string, string | number>> = {},
) {
  return text[locale].replace(/\{(\w+)(?::([^{}]*))?\}/g, (placeholder, name: string, forms?: string) => {
    const value = values[name];
    if (value === undefined) return placeholder;
    return forms === undefined ? String(value) : choosePlural(locale, Number(value), forms.split('|'));
  });
}

const pluralRules = Object.fromEntries(
  locales.map((locale) => [locale, new Intl.PluralRules(locale)]),
) as Record<Locale, Intl.PluralRules>; // of each locale one

/** The first form is of one, the last of many. */
function choosePlural(locale: Locale, count: number, forms: readonly string[]): string {
  const rule = pluralRules[locale].select(count);
  const index = rule === 'one' ? 0 : rule === 'few' ? 1 : forms.length - 1;
  return forms[index] ?? '';
}

/**
 * Chooses the answer's language from an `Accept-Language` header (RFC 9110, 12.5.4).
 * Anything unknown, malformed or absent gives the default.
 */
export function negotiateLocale(header: string | undefined): Locale {
  let best: { locale: Locale; quality: number } | undefined;
  for (const part of (header ?? '').slice(0, 500).split(',')) {
    const [range = '', ...parameters] = part.trim().toLowerCase().split(';');
    const locale = range.split('-')[0];
    if (!isLocale(locale)) continue;
    const weight = parameters.find((parameter) => parameter.trim().startsWith('q='));
    const quality = weight === undefined ? 1 : Number(weight.trim().slice(2));
    if (quality > 0 && quality > (best?.quality ?? 0)) best = { locale, quality };
  }
  return best?.locale ?? defaultLocale;
}
