import type { Locale } from '@pult/contract';
import { formatDate } from '../../shared/i18n/format.ts';

const tags = { ru: 'ru-RU', en: 'en-GB' } as const;

/**
 * When something began, as short as it stays clear: "12:40" today, "20 Nov, 12:40" this year, else with the year.
 * Russian months stand in full and so in the genitive, to read on after «с».
 */
export function formatSince(time: string, locale: Locale, now: number): string {
  const date = new Date(time);
  const today = new Date(now);
  const clock = formatDate(date, locale, 'time');
  if (date.toDateString() === today.toDateString()) return clock;
  const day = new Intl.DateTimeFormat(tags[locale], {
    day: 'numeric',
    month: locale === 'ru' ? 'long' : 'short',
    ...(date.getFullYear() === today.getFullYear() ? {} : { year: 'numeric' }),
  }).format(date);
  return `${day}, ${clock}`;
}
