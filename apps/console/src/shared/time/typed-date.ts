import { type Locale, locales } from '@pult/contract';
import { formatDate, languageTags } from '../i18n/format.ts';
import { toDay, two } from './dates.ts';

/** Longer is no date that anybody writes. */
const longest = 50;

/**
 * What somebody has typed or pasted, as the day and the minute of their own calendar that it names: `2026-11-27` or
 * `2026-11-27T14:30`. The day comes before the month, in either language; a time with a zone is that very moment. Undefined for
 * anything else, and while `isTyping` for a year of two digits: it may be the beginning of one of four.
 */
export function readDate(typed: string, { isTyping = false } = {}): string | undefined {
  if (typed.length > longest) return undefined;
  const text = typed
    .trim()
    .toLowerCase()
    .replace(/[\s,]+/g, ' ');
  if (/^\d{4}-\d\d-\d\dt\d\d:\d\d.*(?:z|[+-]\d\d:?\d\d)$/.test(text)) {
    const moment = new Date(text.toUpperCase());
    return Number.isNaN(moment.getTime()) ? undefined : `${toDay(moment)}T${toMinute(moment)}`;
  }
  const time = /[ t](\d{1,2}):(\d\d)(?::\d\d)?$/.exec(text);
  const day = readDay(time ? text.slice(0, time.index) : text, isTyping);
  if (day === undefined || !time) return day;
  const [hour, minute] = [Number(time[1]), Number(time[2])];
  return hour < 24 && minute < 60 ? `${day}T${two(hour)}:${two(minute)}` : undefined;
}

const toMinute = (time: Date) => `${two(time.getHours())}:${two(time.getMinutes())}`;

function readDay(text: string, isTyping: boolean): string | undefined {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (iso) return toRealDay(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const [, date, month = '', year = ''] =
    /^(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d\d)$/.exec(text) ??
    /^(\d{1,2}) (\p{L}+)\.? (\d{4}|\d\d)(?: ?г\.?| года)?$/u.exec(text) ??
    swap(/^(\p{L}+)\.? (\d{1,2}) (\d{4})$/u.exec(text));
  if (year === '' || (isTyping && year.length === 2)) return undefined;
  const number = /^\d/.test(month) ? Number(month) : readMonth(month);
  return toRealDay(Number(year.length === 2 ? `20${year}` : year), number, Number(date));
}

/** The month in front, as Americans write it: there no numbers are taken for each other. */
function swap(match: RegExpExecArray | null): readonly string[] {
  const [all = '', month = '', date = '', year = ''] = match ?? [];
  return [all, date, month, year];
}

/** Undefined for the 31st of a month that has 30 days. */
function toRealDay(year: number, month: number, date: number): string | undefined {
  const day = new Date(year, month - 1, date);
  const isReal = year > 1900 && day.getMonth() === month - 1 && day.getDate() === date;
  return isReal ? toDay(day) : undefined;
}

/** From 1, by three letters of its name or more, in any language of ours; 0 for what is none. */
function readMonth(word: string): number {
  if (word.length < 3) return 0;
  monthNames ??= Array.from({ length: 12 }, (_, index) => namesOf(new Date(2026, index, 1)));
  return monthNames.findIndex((names) => names.some((name) => name.startsWith(word))) + 1;
}

let monthNames: string[][] | undefined;

/** By itself and beside a day, which is another case in Russian. */
function namesOf(month: Date): string[] {
  return locales.flatMap((locale) =>
    [{}, { day: 'numeric' } as const].flatMap((day) => {
      const parts = new Intl.DateTimeFormat(languageTags[locale], { month: 'long', ...day }).formatToParts(
        month,
      );
      return parts.flatMap(({ type, value }) => (type === 'month' ? value.toLowerCase() : []));
    }),
  );
}

/** As a field shows it, and as people of that language type it; '' for nothing. */
export function writeDate(date: string, locale: Locale): string {
  const [day = '', time] = date.split('T');
  if (day === '') return '';
  // In English a month of letters: numbers alone would be another day to Americans.
  const written =
    locale === 'ru' ? day.split('-').reverse().join('.') : formatDate(`${day}T00:00`, locale, 'date');
  return time === undefined ? written : `${written} ${time}`;
}
