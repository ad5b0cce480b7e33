import type { Locale } from '@pult/contract';

const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

// As everywhere in the console: "en" alone would be American.
const tags = { ru: 'ru-RU', en: 'en-GB' } as const;

const formatters = new Map<Locale, Intl.RelativeTimeFormat>();

/**
 * How long ago, in the largest whole unit: "5 min ago". Less than a minute, and what a wrong clock puts into the
 * future, is undefined: that is now.
 */
export function formatAgo(time: string, locale: Locale, now: number): string | undefined {
  const seconds = (now - Date.parse(time)) / 1000;
  const unit = units.find(([, length]) => seconds >= length);
  if (!unit) return undefined;
  let formatter = formatters.get(locale);
  if (!formatter) {
    formatter = new Intl.RelativeTimeFormat(tags[locale], { style: 'short', numeric: 'always' });
    formatters.set(locale, formatter);
  }
  return formatter.format(-Math.floor(seconds / unit[1]), unit[0]);
}
