import { expect, test } from 'vitest';
import { formatJson, hideTokens, toPlain, toPlainJson, toPlainLines } from './plain-text.ts';

const hostile = 'Boiler\u001b[2J\u009b31m\u0007\r\n\u202egnp.exe\u2066\u007f\u2028';

test('what steers a terminal is a space in a text, lines kept where they are wanted', () => {
  expect(toPlain(hostile)).toBe('Boiler [2J 31m    gnp.exe   ');
  expect(toPlainLines('one\ttwo\nthree\u001b[1m')).toBe('one\ttwo\nthree [1m');
  expect(toPlain('Котельная № 5 – 热水')).toBe('Котельная № 5 – 热水');
});

test('JSON has it escaped, and means the same', () => {
  const json = formatJson({ [hostile]: hostile });
  expect(json.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/u);
  expect(JSON.parse(json)).toEqual({ [hostile]: hostile });
  expect(toPlainJson('{"a":\t1}\r\n')).toBe('{"a":\t1}\r\n');
});

test('a token is hidden wherever it stands in a text, and its kind is told', () => {
  const token = `pult_pat_${'a1B'.repeat(12)}`;
  expect(hideTokens(`No option --x=${token}, nor pult_svc_abc.`)).toBe(
    'No option --x=pult_pat_…, nor pult_svc_….',
  );
});
