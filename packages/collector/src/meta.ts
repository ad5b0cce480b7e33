import { type ControlMeta, type TelemetryTitle, telemetryLimits } from '@pult/link';
import { cleanText, toInertText } from './inert-text.ts';

const { titleLength, wordLength } = telemetryLimits;
/** A longer `meta` object is not looked into, in bytes. */
const maxMetaBytes = 16 * 1024;

type MetaChange = Partial<ControlMeta>;

export const emptyMeta: ControlMeta = {
  title: { en: null, ru: null },
  type: null,
  units: null,
  order: null,
  readonly: null,
  error: null,
};

/**
 * What a message below `meta` says of a control. `part` is the topic's last level, '' for the JSON object of newer
 * drivers. An empty payload takes back what was said. Null for what means nothing to us.
 */
export function readMeta(part: string, payload: Buffer): MetaChange | null {
  const text = toInertText(payload, titleLength).trim();
  switch (part) {
    case '':
      return readMetaObject(payload);
    case 'name':
      return { title: { en: text || null, ru: null } };
    case 'type':
    case 'units':
    case 'error':
      return { [part]: toWord(text) };
    case 'order':
      return { order: toOrder(Number(text), text) };
    case 'readonly':
      return { readonly: text === '' ? null : text === '1' || text === 'true' };
    default:
      return null;
  }
}

function readMetaObject(payload: Buffer): MetaChange | null {
  if (payload.length === 0) return { ...emptyMeta };
  const object = parseObject(payload);
  if (!object) return null;
  const change: MetaChange = {};
  const { title, type, units, order, readonly, error } = object;
  if (title !== undefined) change.title = readTitle(title);
  if (typeof type === 'string') change.type = toWord(type);
  if (typeof units === 'string') change.units = toWord(units);
  if (typeof error === 'string') change.error = toWord(error);
  if (typeof order === 'number') change.order = toOrder(order);
  if (typeof readonly === 'boolean') change.readonly = readonly;
  return change;
}

/** The name in a device's `meta/name` or `meta`; null when the message holds none. */
export function readDeviceTitle(part: string, payload: Buffer): TelemetryTitle | null {
  if (part === 'name') return { en: toInertText(payload, titleLength).trim() || null, ru: null };
  if (part !== '') return null;
  if (payload.length === 0) return { en: null, ru: null };
  const object = parseObject(payload);
  return object?.title === undefined ? null : readTitle(object.title);
}

/** A text for all languages, or an object with one for each. */
function readTitle(title: unknown): TelemetryTitle {
  if (typeof title === 'string') return { en: cleanText(title.trim(), titleLength) || null, ru: null };
  const { en, ru } = (typeof title === 'object' && title !== null ? title : {}) as Record<string, unknown>;
  const read = (text: unknown) =>
    typeof text === 'string' ? cleanText(text.trim(), titleLength) || null : null;
  return { en: read(en), ru: read(ru) };
}

function toWord(text: string): string | null {
  return cleanText(text.trim(), wordLength) || null;
}

function toOrder(order: number, text?: string): number | null {
  return text !== '' && Number.isInteger(order) && Math.abs(order) <= 1_000_000 ? order : null;
}

function parseObject(payload: Buffer): Record<string, unknown> | null {
  if (payload.length > maxMetaBytes) return null;
  try {
    const value: unknown = JSON.parse(payload.toString('utf8'));
    // Arrays have none of the fields that are looked for.
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
