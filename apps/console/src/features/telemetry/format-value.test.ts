import { expect, it } from 'vitest';
import { readErrors, readValue } from './format-value.ts';

it.each([
  ['temperature', '21.50', 'ru', '21,50'],
  ['temperature', '-21.5', 'en', '-21.5'],
  ['value', '1234567', 'en', '1,234,567'],
  ['value', '12345678901234567890', 'en', '12345678901234567890'],
  ['value', '1e5', 'en', '1e5'],
  ['value', '0x10', 'en', '0x10'],
  ['value', 'NaN', 'ru', 'NaN'],
  ['value', '', 'ru', ''],
  ['text', '007', 'en', '007'],
  ['rgb', '255;0;0', 'en', '255;0;0'],
  [null, '5', 'en', '5'],
  ['switch', '2', 'en', '2'],
] as const)('shows %s %j in %s as %j', (type, value, locale, text) => {
  expect(readValue({ type, value }, locale)).toEqual({ kind: 'text', text });
});

it.each([
  ['switch', '1', 'on'],
  ['switch', '0', 'off'],
  ['pushbutton', '1', 'pressed'],
  ['pushbutton', '0', 'none'],
  ['switch', null, 'none'],
] as const)('names the state of a %s at %j', (type, value, kind) => {
  expect(readValue({ type, value }, 'en')).toEqual({ kind });
});

it.each([
  ['value', '1', 'Open'],
  ['value', '1.0', 'Open'],
  ['switch', '1', 'Open'],
  ['text', 'auto', 'By itself'],
] as const)('shows %s %j as what the device calls it', (type, value, text) => {
  const titles = { 0: 'Closed', 1: 'Open', auto: 'By itself' };
  expect(readValue({ type, value, enum: titles }, 'en')).toEqual({ kind: 'title', text });
});

it('shows a value without a title of its own as any other', () => {
  const shown = readValue({ type: 'value', value: '2.5', enum: { 2: 'Two' } }, 'ru');
  expect(shown).toEqual({ kind: 'text', text: '2,5' });
  expect(readValue({ type: 'text', value: 'constructor', enum: {} }, 'en').kind).toBe('text');
});

it('reads what a driver says is wrong', () => {
  expect(readErrors(undefined)).toEqual([]);
  expect(readErrors('')).toEqual([]);
  expect(readErrors('rwr')).toEqual(['read', 'write']);
  expect(readErrors('<b>broken</b>')).toEqual([{ text: '<b>broken</b>' }]);
});
