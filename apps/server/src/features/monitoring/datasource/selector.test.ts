import { describe, expect, it } from 'vitest';
import { maxSelectorLength, parseSelector } from './selector.ts';

describe('a selector', () => {
  it.each<[string, { metric?: string; serials?: string[] }]>([
    ['pult_cpu_usage', { metric: 'pult_cpu_usage' }],
    [' \n pult_cpu_usage \t ', { metric: 'pult_cpu_usage' }],
    ['a:b{}', { metric: 'a:b' }],
    ['{}', {}],
    ['{__name__="pult_cpu_usage"}', { metric: 'pult_cpu_usage' }],
    ['x{serial="A"}', { metric: 'x', serials: ['A'] }],
    ['x { serial = "A" , } ', { metric: 'x', serials: ['A'] }],
    ['x{serial=~"A|B"}', { metric: 'x', serials: ['A', 'B'] }],
    ['x{serial=~"(A|B)",__name__="y"}', { metric: 'y', serials: ['A', 'B'] }],
    ['x{serial=~".+"}', { metric: 'x' }],
    ['x{serial=~".*"}', { metric: 'x' }],
    // A choice in Grafana is escaped for the expression, and that for its text.
    [String.raw`x{serial=~"A\\-1\\.2|B\-2"}`, { metric: 'x', serials: ['A-1.2', 'B-2'] }],
    ['x{serial="}"}', { metric: 'x', serials: ['}'] }],
    [String.raw`x{serial="\""}`, { metric: 'x', serials: [String.raw`\"`] }],
  ])('a selector is read: %s', (text, wanted) => {
    expect(parseSelector(text)).toEqual({ metric: undefined, serials: undefined, ...wanted });
  });

  it.each([
    '',
    ' ',
    '!',
    '1',
    '1x',
    'x y',
    'x{',
    'x}',
    'x{}}',
    'x{}y',
    'x{,}',
    'x{serial}',
    'x{serial=}',
    'x{serial="A}',
    String.raw`x{serial="A\"}`,
    'x{="A"}',
    'x{serial="A"serial="B"}',
    'x{serial!="A"}',
    'x{serial=~"A.*"}',
    'x{serial=~"((A)"}',
    'x{serial=~"("}',
    String.raw`x{serial=~"A\\"}`,
    String.raw`x{serial=~"A\\d"}`,
    'x{__name__=~"a|b"}',
    'x{organization="A"}',
    'x{serial="A\0"}',
    'sum(x)',
    'x[5m]',
    'x offset 1h',
  ])('a selector is refused: %s', (text) => {
    expect(() => parseSelector(text)).toThrow(expect.objectContaining({ name: 'BadSelector' }));
  });

  it('a selector may name the controllers of one chart by the longest serial numbers', () => {
    const serials = Array.from({ length: 100 }, (_, index) => `${'A-'.repeat(17)}${index}`);
    const text = `pult_cpu_usage{serial=~"(${serials.join('|').replaceAll('-', '\\\\-')})"}`;
    expect(parseSelector(text).serials).toEqual(serials);
  });

  it('a selector that is too long is refused by its length', () => {
    expect(() => parseSelector(`x${' '.repeat(maxSelectorLength)}`)).toThrow('16384 characters at most');
  });
});
