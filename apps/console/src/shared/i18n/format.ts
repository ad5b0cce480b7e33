import type { Locale } from '@pult/contract';

/** Making an Intl formatter is slow and lists need thousands of them: one per locale and form. */
const dateForms = {
  date: { day: 'numeric', month: 'short', year: 'numeric' },
  time: { hour: '2-digit', minute: '2-digit' },
  dateTime: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  /** For logs, where events of one minute have an order. */
  moment: {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  },
  /** Of what is counted by days and months of UTC. */
  utcDay: { day: 'numeric', month: 'long', timeZone: 'UTC' },
  utcMonth: { month: 'long', year: 'numeric', timeZone: 'UTC' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;
export type DateForm = keyof typeof dateForms;

const dateFormatters = new Map<string, Intl.DateTimeFormat>();
const numberFormatters = new Map<string, Intl.NumberFormat>();

// "en" alone is American, month first and 12 hours.
export const languageTags: Record<Locale, string> = { ru: 'ru-RU', en: 'en-GB' };

/** `value`: RFC 3339, milliseconds or a Date. In the browser's time zone, unless the form says otherwise. */
export function formatDate(
  value: string | number | Date,
  locale: Locale,
  form: DateForm = 'dateTime',
): string {
  const key = `${locale} ${form}`;
  let formatter = dateFormatters.get(key);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat(languageTags[locale], dateForms[form]);
    dateFormatters.set(key, formatter);
  }
  return formatter.format(new Date(value));
}

export function formatNumber(value: number, locale: Locale, options?: Intl.NumberFormatOptions): string {
  if (options) return new Intl.NumberFormat(languageTags[locale], options).format(value);
  let formatter = numberFormatters.get(locale);
  if (!formatter) {
    formatter = new Intl.NumberFormat(languageTags[locale]);
    numberFormatters.set(locale, formatter);
  }
  return formatter.format(value);
}

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** A number of bytes as people say it; a kilobyte has 1,024. The unit never stands alone on the next line. */
export function formatBytes(bytes: number, locale: Locale): string {
  const power = Math.min(byteUnits.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const parts = new Intl.NumberFormat(languageTags[locale], {
    style: 'unit',
    unit: byteUnits[power] ?? 'byte',
    unitDisplay: power === 0 ? 'narrow' : 'short',
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).formatToParts(bytes / 1024 ** power);
  const join = (isUnit: boolean) =>
    parts.flatMap(({ type, value }) => (type !== 'literal' && (type === 'unit') === isUnit ? value : []));
  return `${join(false).join('')}\u00a0${join(true).join('')}`;
}
