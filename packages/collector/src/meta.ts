import { type TelemetryTitle, telemetryLimits } from '@pult/link';
import { cleanText, toInertText } from './inert-text.ts';

const { titleLength, wordLength, enumBytes } = telemetryLimits;
/** A longer `meta` object is not looked into, in bytes. */
const maxMetaBytes = 16 * 1024;

/** What is said of a control, its title by language. What nobody says has no key here. */
export interface Said {
  en?: string;
  ru?: string;
  type?: string;
  units?: string;
  order?: number;
  readonly?: boolean;
  error?: string;
  /** Titles of values. */
  enum?: Record<string, TelemetryTitle>;
}

/** By the topics below `meta`, each of which is about one thing. */
const fieldsOfTopics = {
  name: 'en',
  type: 'type',
  units: 'units',
  error: 'error',
  order: 'order',
  readonly: 'readonly',
} as const satisfies Record<string, keyof Said>;

/** All that the JSON object of newer drivers says, or what one topic beside it says of its field. */
export type MetaChange = { object: Said } | { field: keyof Said; said: Said };

/**
 * What a message below `meta` says of a control. `part` is the topic's last level, '' for the JSON object. An empty
 * payload takes back what was said that way. Null for what means nothing to us.
 */
export function readMeta(part: string, payload: Buffer): MetaChange | null {
  if (part === '') return readMetaObject(payload);
  if (!Object.hasOwn(fieldsOfTopics, part)) return null;
  const field = fieldsOfTopics[part as keyof typeof fieldsOfTopics];
  const text = toInertText(payload, titleLength);
  return { field, said: keepSaid({ [field]: readers[field](text) }) };
}

function readMetaObject(payload: Buffer): MetaChange | null {
  if (payload.length === 0) return { object: {} };
  const object = parseObject(payload);
  if (!object) return null;
  const { type, units, order, readonly, error } = object;
  return {
    object: keepSaid({
      ...readTitle(object.title),
      type: readers.type(type),
      units: readers.units(units),
      order: readers.order(order),
      readonly: readers.readonly(readonly),
      error: readers.error(error),
      enum: readEnum(object.enum),
    }),
  };
}

/** The name in a device's `meta/name`, or in the JSON object of its `meta`; null when the message is none of these. */
export function readDeviceTitle(part: string, payload: Buffer): TelemetryTitle | null {
  if (part === 'name') return readTitle(toInertText(payload, titleLength));
  if (part !== '') return null;
  if (payload.length === 0) return readTitle(undefined);
  const object = parseObject(payload);
  return object && readTitle(object.title);
}

/** Without what is null. */
function keepSaid(read: Readonly<Record<string, unknown>>): Said {
  // Each field has what its own reader gives.
  return Object.fromEntries(Object.entries(read).filter(([, said]) => said !== null)) as Said;
}

const readWord = (said: unknown) => readText(said, wordLength);

/** Each takes what JSON may hold, and the text of a topic. */
const readers = {
  en: (said: unknown) => readText(said, titleLength),
  type: readWord,
  units: readWord,
  error: readWord,
  order: (said: unknown) => {
    const order = typeof said === 'string' && said.trim() !== '' ? Number(said) : said;
    return typeof order === 'number' && Number.isInteger(order) && Math.abs(order) <= 1_000_000
      ? order
      : null;
  },
  // Drivers write it as 1, "1" or true.
  readonly: (said: unknown) => {
    const word = ['string', 'number', 'boolean'].includes(typeof said) ? String(said).trim() : '';
    if (/^(1|true)$/i.test(word)) return true;
    return /^(0|false)$/i.test(word) ? false : null;
  },
};

function readText(said: unknown, maxLength: number): string | null {
  return typeof said === 'string' ? cleanText(said.trim(), maxLength) || null : null;
}

/** A text for all languages, or an object with one for each. */
function readTitle(title: unknown, maxLength: number = titleLength): TelemetryTitle {
  if (typeof title === 'string') return { en: readText(title, maxLength), ru: null };
  const { en, ru } = (typeof title === 'object' && title !== null ? title : {}) as Record<string, unknown>;
  return { en: readText(en, maxLength), ru: readText(ru, maxLength) };
}

/** Titles by value, as many as there is room for; null where there is none. */
function readEnum(said: unknown): Said['enum'] | null {
  if (typeof said !== 'object' || said === null) return null;
  const titles: [value: string, title: TelemetryTitle][] = [];
  let left = enumBytes - '{}'.length;
  for (const [value, text] of Object.entries(said)) {
    const title = readTitle(text, wordLength);
    if (value.length > wordLength || cleanText(value, wordLength) !== value) continue;
    if (title.en === null && title.ru === null) continue;
    left -= Buffer.byteLength(JSON.stringify({ [value]: title }));
    if (left < 0) break;
    titles.push([value, title]);
  }
  return titles.length > 0 ? Object.fromEntries(titles) : null;
}

function parseObject(payload: Buffer): Record<string, unknown> | null {
  if (payload.length > maxMetaBytes) return null;
  try {
    // Editors of Windows put a byte order mark in front, which JSON.parse does not take (RFC 8259 section 8.1).
    const value: unknown = JSON.parse(payload.toString('utf8').replace(/^\ufeff/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
