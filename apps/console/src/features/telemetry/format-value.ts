import type { Locale, MqttControl } from '@pult/contract';
import { formatNumber } from '../../shared/i18n/format.ts';

/** What a control shows: a state to be named in the user's language, a text, or what the device calls the value. */
export type ShownValue =
  | { kind: 'none' | 'on' | 'off' | 'pressed' }
  | { kind: 'text' | 'title'; text: string };

/** Types whose values are `0` and `1`, as Wiren Board's convention of MQTT topics has them. */
const states: Record<string, { 0: 'off' | 'none'; 1: 'on' | 'pressed' }> = {
  switch: { 0: 'off', 1: 'on' },
  alarm: { 0: 'off', 1: 'on' },
  pushbutton: { 0: 'none', 1: 'pressed' },
};

export function isState(type: string | null): boolean {
  return type !== null && Object.hasOwn(states, type);
}

/** A decimal number of so few digits that none is lost on its way through a double. */
const plainNumber = /^-?\d{1,12}(\.\d{1,9})?$/;

/** Numbers by the locale, with the digits that the device sent; everything else as it came. */
export function readValue(
  { type, value, enum: titles }: Pick<MqttControl, 'type' | 'value' | 'enum'>,
  locale: Locale,
): ShownValue {
  if (value === null) return { kind: 'none' };
  const title = titles && findTitle(titles, value);
  if (title !== undefined) return { kind: 'title', text: title };
  const state = states[type ?? ''];
  if (state && (value === '0' || value === '1')) return { kind: state[value] };
  if (type === 'text' || type === 'rgb' || !plainNumber.test(value)) return { kind: 'text', text: value };
  const digits = value.split('.')[1]?.length ?? 0;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return { kind: 'text', text: formatNumber(Number(value), locale, options) };
}

/** Titles are of `1`, where a driver may write `1.0`. */
function findTitle(titles: Readonly<Record<string, string>>, value: string): string | undefined {
  const key = [value, String(Number(value))].find((each) => Object.hasOwn(titles, each));
  return key === undefined ? undefined : titles[key];
}

/** By which letters a driver tells what is wrong (the `error` meta topic of the same convention). */
export function readErrors(error: string | undefined): ('read' | 'write' | 'poll' | { text: string })[] {
  if (!error) return [];
  const names = { r: 'read', w: 'write', p: 'poll' } as const;
  if (!/^[rwp]+$/.test(error)) return [{ text: error }];
  return [...new Set(error)].flatMap((letter) =>
    letter in names ? [names[letter as keyof typeof names]] : [],
  );
}
