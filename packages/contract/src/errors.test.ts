import { describe, expect, it } from 'vitest';
import { errorCatalogue, formatError, isErrorCode, wireCode } from './errors.ts';
import { locales, type Text } from './locale.ts';
import { validationTexts } from './validation.ts';

const texts: [string, Text][] = [...Object.entries(errorCatalogue), ...Object.entries(validationTexts)];

function placeholders(text: string): string[] {
  return [...text.matchAll(/\{(\w+)(?::[^{}]*)?\}/g)].map(([, name = '']) => name).sort();
}

describe('the error catalogue', () => {
  it('the error catalogue has every text in every language, as a sentence', () => {
    for (const [key, text] of texts) {
      for (const locale of locales)
        expect([key, text[locale]]).toEqual([key, expect.stringMatching(/^\S.*\.$/u)]);
      expect([key, text.ru]).toEqual([key, expect.stringMatching(/[а-яё]/i)]);
      expect([key, text.en]).toEqual([key, expect.not.stringMatching(/[а-яё]/i)]);
    }
  });

  it('the error catalogue has the same placeholders in both languages', () => {
    for (const [key, text] of texts)
      expect([key, placeholders(text.ru)]).toEqual([key, placeholders(text.en)]);
  });

  it('the error catalogue has codes that are never translated and statuses of refusals', () => {
    for (const [code, { status }] of Object.entries(errorCatalogue)) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)+$/);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(600);
    }
  });

  it('fills in values and leaves a gap visible', () => {
    expect(formatError('controller_not_found', 'en', { serialNumber: 'A1' })).toBe(
      'Controller A1 does not exist.',
    );
    expect(formatError('controller_not_found', 'ru', { serialNumber: '$&{x}' })).toBe(
      'Контроллер $&{x} не существует.',
    );
    expect(formatError('too_many_attempts', 'en')).toBe('Too many attempts. Try again in {seconds} s.');
  });

  // spec: 9.07
  it.each([
    [1, 'контроллер', 'controller'],
    [2, 'контроллера', 'controllers'],
    [5, 'контроллеров', 'controllers'],
    [11, 'контроллеров', 'controllers'],
    [21, 'контроллер', 'controllers'],
    [1000, 'контроллеров', 'controllers'],
  ])('a license for %i says so by the plural rules of both languages', (limit, russian, english) => {
    expect(formatError('controllers_limit_reached', 'ru', { limit })).toBe(
      `Достигнут предел лицензии: ${limit} ${russian}.`,
    );
    expect(formatError('controllers_limit_reached', 'en', { limit })).toBe(
      `The license limit of ${limit} ${english} is reached.`,
    );
  });

  it('the error catalogue has as many plural forms as its language', () => {
    for (const [key, text] of texts) {
      for (const [locale, count] of [
        ['ru', 3],
        ['en', 2],
      ] as const) {
        for (const [, forms = ''] of text[locale].matchAll(/\{\w+:([^{}]*)\}/g))
          expect([key, locale, forms.split('|').length]).toEqual([key, locale, count]);
      }
    }
  });

  it('one code of the wire may have two statuses; all others are called by their own names', () => {
    expect(wireCode('login_totp_required')).toBe('totp_required');
    expect(wireCode('totp_required')).toBe('totp_required');
    expect(wireCode('controller_not_found')).toBe('controller_not_found');
  });

  it('tells its own codes from anything else', () => {
    expect(isErrorCode('not_found')).toBe(true);
    for (const value of ['', 'toString', '__proto__', null, 5, {}, ['not_found']])
      expect(isErrorCode(value)).toBe(false);
  });
});
