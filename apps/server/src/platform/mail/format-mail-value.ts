import type { Locale } from '@pult/contract';

/** The values that a mail's placeholders take. All of them are untrusted: none becomes markup, a line or a header. */
export interface MailValueTypes {
  text: string | number;
  /** What people call a thing: no mail program makes a link of it. */
  name: string;
  /** Null has no end. */
  time: Date | null;
  bytes: number;
  /** Null is unknown. */
  device: string | null;
  /** Separated by commas; in the address of the action, its segments. */
  list: readonly string[];
  /** Alone in a line of the catalogue: as many lines as it has. */
  lines: readonly string[];
  /** What makes the link work. The mail's body goes as soon as the link with this id is dead: `mail.purge`. */
  secret: { token: string; id: string; expiresAt: Date };
}
export type MailValueKind = keyof MailValueTypes;

/** Longer names are cut: a mail is about something else. */
const nameLength = 100;

const oneLine = (text: string) => text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');

/**
 * A name as the mail of a stranger may show it. Anyone may name an organization anything, so it stays on one line,
 * does not turn the text around it, and no mail program makes a link of it: a zero-width space after each dot,
 * colon, slash and @ keeps it from being an address.
 */
function toInertText(name: string): string {
  const letters = [...oneLine(name.replace(/\p{Cf}/gu, '')).trim()];
  const short = letters.length > nameLength ? `${letters.slice(0, nameLength).join('')}…` : letters.join('');
  return short.replace(/[.:/@\\]/g, '$&\u200b');
}

/** A time as mails say it, in UTC and to the minute: `2026-11-21 12:40`. */
export function formatMailTime(time: Date): string {
  return time.toISOString().slice(0, 16).replace('T', ' ');
}

const noEnd = { ru: 'бессрочно', en: 'no end' };
const unknown = { ru: 'неизвестно', en: 'unknown' };
const megabyte = { ru: 'МБ', en: 'MB' };

/** A value as a mail says it. */
export interface WrittenValue {
  text: string;
  /** In place of a line of the catalogue that is nothing but its placeholder. */
  lines?: readonly string[];
  /** In the address of the action. */
  segments?: readonly string[];
  link?: { id: string; expiresAt: Date };
}

export const writeMailValue: {
  [Kind in MailValueKind]: (value: MailValueTypes[Kind], locale: Locale) => WrittenValue;
} = {
  text: (value) => ({ text: oneLine(String(value)) }),
  name: (name) => ({ text: toInertText(name) }),
  time: (time, locale) => ({ text: time === null ? noEnd[locale] : `${formatMailTime(time)} UTC` }),
  bytes: (bytes, locale) => ({ text: `${Math.round(bytes / 2 ** 20)} ${megabyte[locale]}` }),
  device: (device, locale) => ({ text: device === null ? unknown[locale] : oneLine(device) }),
  list: (items) => ({ text: oneLine(items.join(', ')), segments: items }),
  lines: (lines) => ({ text: lines.join('\n'), lines }),
  secret: ({ token, ...link }) => ({ text: token, link }),
};
