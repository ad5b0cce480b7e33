import type { Locale } from '@pult/contract';

const tags: Record<Locale, string> = { ru: 'ru-RU', en: 'en-GB' };
const dayMs = 24 * 3600_000;

const formatters = new Map<string, { day: Intl.DateTimeFormat; time: Intl.DateTimeFormat }>();

function formattersOf(locale: Locale) {
  let found = formatters.get(locale);
  if (!found) {
    found = {
      day: new Intl.DateTimeFormat(tags[locale], { day: 'numeric', month: 'short' }),
      time: new Intl.DateTimeFormat(tags[locale], { hour: '2-digit', minute: '2-digit' }),
    };
    formatters.set(locale, found);
  }
  return found;
}

/** Words under the axis of time, for milliseconds: times, with the day under the first one of each; or days alone. */
export function labelTimes(times: readonly number[], stepMs: number, locale: Locale): string[] {
  const { day, time } = formattersOf(locale);
  let shownDay = '';
  return times.map((at) => {
    const dayText = day.format(at);
    if (stepMs >= dayMs) return dayText;
    const text = dayText === shownDay ? time.format(at) : `${time.format(at)}\n${dayText}`;
    shownDay = dayText;
    return text;
  });
}

/** A time of a chart in a few words. */
export function formatMoment(at: number, locale: Locale): string {
  const { day, time } = formattersOf(locale);
  return `${day.format(at)}, ${time.format(at)}`;
}
