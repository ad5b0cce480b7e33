import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { limits } from './limits.ts';
import type { Locale } from './locale.ts';
import { routes } from './routes/index.ts';
import { updateControllerRequest } from './schemas/controllers.ts';
import { describeField, describeIssues } from './validation.ts';

function describeParse(schema: z.ZodType, value: unknown, locale: Locale = 'en') {
  const { error } = schema.safeParse(value, { reportInput: true });
  return error && describeIssues(error, locale);
}

const sample = z.strictObject({
  name: z.string().min(1).max(5),
  count: z.number().int().min(1).max(9),
  flag: z.boolean(),
  kind: z.enum(['a', 'b']),
  items: z.array(z.string().max(2)).max(1),
  email: z.email(),
  password: z.string().min(3),
});
const good = {
  name: 'x',
  count: 1,
  flag: true,
  kind: 'a',
  items: [],
  email: 'a@example.com',
  password: 'abc',
};

describe('describeIssues', () => {
  it.each([
    [{ name: undefined }, { name: ['This field is required.'] }],
    [{ name: null }, { name: ['A string is expected.'] }],
    [{ name: ['x'] }, { name: ['A string is expected.'] }],
    [{ name: {} }, { name: ['A string is expected.'] }],
    [{ name: '' }, { name: ['This field may not be empty.'] }],
    [{ name: 'xxxxxx' }, { name: ['At most 5 characters.'] }],
    [{ count: '1' }, { count: ['A number is expected.'] }],
    [{ count: 1.5 }, { count: ['A number is expected.'] }],
    [{ count: 0 }, { count: ['At least 1.'] }],
    [{ count: 10 }, { count: ['At most 9.'] }],
    [{ flag: 'true' }, { flag: ['True or false is expected.'] }],
    [{ kind: 'c' }, { kind: ['Allowed values: a, b.'] }],
    [{ items: ['xxx'] }, { items: ['At most 2 characters.'] }],
    [{ items: 'x' }, { items: ['Invalid value.'] }],
    [{ password: 'ab' }, { password: ['At least 3 characters.'] }],
    [{ password: '' }, { password: ['At least 3 characters.'] }],
    [{ email: 'x' }, { email: ['Check the address: it should look like name@example.com.'] }],
    [
      { extra: 1, other: 2 },
      { extra: ['Unknown field.'], other: ['Unknown field.'] },
    ],
    [
      { name: '', count: 0 },
      { name: ['This field may not be empty.'], count: ['At least 1.'] },
    ],
  ])('describes %j', (change, expected) => {
    expect({ ...describeParse(sample, { ...good, ...change }) }).toEqual(expected);
  });

  it('says nothing of the length of what is no string', () => {
    const schema = z.object({ password: z.string().min(8).max(2) });
    for (const password of [[], ['a', 'b', 'c']]) {
      expect({ ...describeParse(schema, { password }) }).toEqual({ password: ['A string is expected.'] });
    }
  });

  it('speaks Russian', () => {
    expect({ ...describeParse(sample, { ...good, name: 'xxxxxx' }, 'ru') }).toEqual({
      name: ['Не длиннее 5 символов.'],
    });
  });

  it('describeIssues has no field to blame where the value is no object at all', () => {
    for (const value of [undefined, null, 'x', 5, []]) expect(describeParse(sample, value)).toBeUndefined();
  });

  it('describes a field by the name of something inherited', () => {
    const fields = describeParse(sample, { ...good, ...JSON.parse('{"__proto__": 1, "constructor": 2}') });
    expect(Object.keys(fields ?? {}).sort()).toContain('constructor');
    expect(JSON.parse(JSON.stringify(fields))).toMatchObject({ constructor: ['Unknown field.'] });
  });

  it('tells each message of a field once, and all that differ', () => {
    const schema = z.object({
      items: z.array(z.string().max(2)),
      name: z.string().max(2).regex(/^a/),
    });
    expect({ ...describeParse(schema, { items: ['xxx', 'yyy'], name: 'xxx' }) }).toEqual({
      items: ['At most 2 characters.'],
      name: ['At most 2 characters.', 'Invalid value.'],
    });
  });

  it('blames the field itself for what is unknown or too long within it', () => {
    const schema = z.object({ place: z.strictObject({ name: z.string().max(2) }), other: z.string() });
    expect({ ...describeParse(schema, { place: { name: 'xxx', extra: 1 } }) }).toEqual({
      place: ['At most 2 characters.', 'Invalid value.'],
      other: ['This field is required.'],
    });
  });

  it('never answers a text of the validator itself', () => {
    const { error } = z
      .strictObject({ a: z.union([z.number(), z.boolean()]), b: z.string().refine(() => false, 'toString') })
      .safeParse({ a: 'x', b: 'y' }, { reportInput: true });
    expect(error && { ...describeIssues(error, 'en') }).toEqual({
      a: ['Invalid value.'],
      b: ['Invalid value.'],
    });
  });
});

it('describes a field by a rule of the server', () => {
  expect(describeField('group', 'group_unknown', 'ru')).toEqual({
    group: ['Такой группы в организации нет.'],
  });
});

describe('a text', () => {
  const { body } = routes.createOrganization;
  const name = (value: string) => body.safeParse({ name: value });

  it('a text is trimmed and may have anything printable in it', () => {
    expect(name('  Насосная № 1 🚰 <b>&amp;  ').data).toEqual({ name: 'Насосная № 1 🚰 <b>&amp;' });
  });

  it('ends at its limit, counted in whole characters', () => {
    expect(name('я'.repeat(limits.nameLength)).success).toBe(true);
    expect(name('я'.repeat(limits.nameLength + 1)).success).toBe(false);
    expect(name('🚰'.repeat(limits.nameLength)).success).toBe(true);
    expect(name('🚰'.repeat(limits.nameLength + 1)).success).toBe(false);
  });

  it('a text has no control characters and no half of a surrogate pair', () => {
    for (const bad of [
      'a\u0000b',
      'a\u001bb',
      'a\u007fb',
      'a\u0085b',
      '\ud83d',
      'a\udc00b',
      '\udc00\ud83d',
    ]) {
      expect([bad, name(bad).success]).toEqual([bad, false]);
    }
    expect(name('two\nlines\tand a tab').success).toBe(true);
  });
});

describe('the coordinates of a controller', () => {
  it.each([
    [{ latitude: 55.75, longitude: 37.62 }, undefined],
    [{ latitude: null, longitude: null }, undefined],
    [{ latitude: -90, longitude: 180 }, undefined],
    [{ latitude: 55 }, 'longitude'],
    [{ longitude: 37 }, 'latitude'],
    [{ latitude: null, longitude: 37 }, 'latitude'],
    [{ latitude: 55, longitude: null }, 'longitude'],
    [{ latitude: null }, 'longitude'],
    [{ latitude: 90.1, longitude: 0 }, 'latitude'],
    [{ latitude: 0, longitude: -180.1 }, 'longitude'],
    [{ latitude: Number.NaN, longitude: 0 }, 'latitude'],
    [{ latitude: '55', longitude: 37 }, 'latitude'],
  ])('the coordinates of a controller are checked together: %j', (value, field) => {
    const fields = describeParse(updateControllerRequest, value);
    expect(fields && Object.keys(fields)).toEqual(field === undefined ? undefined : [field]);
  });
});
