import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import i18next from 'i18next';
import { beforeAll, describe, expect, test } from 'vitest';
import { startI18n } from '../shared/i18n/i18n.ts';
import { connectNamespaces } from './connect-messages.ts';
import { insideNamespaces } from './inside-messages.ts';
import { namespaces as outside, resources } from './messages.ts';
import { loadInsideTexts } from './navigation/guards.ts';
import { pageNamespaces } from './page-messages.ts';

const namespaces = { ...outside, ...insideNamespaces, ...pageNamespaces, ...connectNamespaces };

type Tree = { readonly [key: string]: string | Tree };

const source = join(import.meta.dirname, '..');
const plural = /_(zero|one|two|few|many|other)$/;

function keysOf(texts: Tree, prefix = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [prefix + key] : keysOf(value, `${prefix}${key}.`),
  );
}

const withoutPlurals = (keys: string[]) => [...new Set(keys.map((key) => key.replace(plural, '')))].sort();

/** All code of the console; a key of a namespace may be used anywhere. */
const code = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !/(\.test\.tsx?|messages\.ts)$/.test(name))
  .map((name) => readFileSync(join(source, name), 'utf8'))
  .join('\n');

/** `t(`status.${x}`)` uses every key that starts so and ends so. */
const patterns = [...code.matchAll(/`([\w.]*)\$\{[^}]+\}([\w.]*)`/g)]
  .map(([, start = '', end = '']) => ({ start, end }))
  .filter(({ start }) => start.endsWith('.'));

function isUsed(key: string): boolean {
  return (
    code.includes(`'${key}'`) ||
    code.includes(`"${key}"`) ||
    patterns.some(({ start, end }) => key.startsWith(start) && key.endsWith(end))
  );
}

describe.each(Object.entries<{ ru: Tree; en: Tree }>(namespaces))('texts of %s', (_, { ru, en }) => {
  test('both languages have the same keys', () => {
    expect(withoutPlurals(keysOf(ru))).toEqual(withoutPlurals(keysOf(en)));
  });

  test('no key is unused', () => {
    expect(withoutPlurals(keysOf(en)).filter((key) => !isUsed(key))).toEqual([]);
  });

  test('no text is empty, and both languages fill in the same values', () => {
    const values = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();
    const read = (texts: Tree, key: string) =>
      key
        .split('.')
        .reduce<string | Tree | undefined>(
          (at, part) => (typeof at === 'object' ? at[part] : undefined),
          texts,
        );
    for (const key of keysOf(en)) {
      const [russian, english] = [read(ru, key), read(en, key)];
      expect(english, key).not.toBe('');
      if (typeof russian !== 'string' || typeof english !== 'string') continue;
      expect(values(russian), key).toEqual(values(english));
    }
  });

  // spec: 9.07
  test('a plural has the three forms of Russian and the two of English', () => {
    const forms = (texts: Tree) => {
      const byKey = new Map<string, string[]>();
      for (const key of keysOf(texts)) {
        const form = plural.exec(key)?.[1];
        const base = key.replace(plural, '');
        if (form) byKey.set(base, [...(byKey.get(base) ?? []), form]);
      }
      return byKey;
    };
    for (const [key, found] of forms(ru))
      expect(found, key).toEqual(expect.arrayContaining(['one', 'few', 'many']));
    for (const [key, found] of forms(en))
      expect(found, key).toEqual(expect.arrayContaining(['one', 'other']));
  });
});

test('no key is missing', () => {
  const known = new Set(Object.values(namespaces).flatMap(({ en }) => withoutPlurals(keysOf(en))));
  const used = [...code.matchAll(/\bt\(\s*'([^']+)'/g)].map(([, key = '']) => key);
  expect(used.length).toBeGreaterThan(50);
  expect(used.filter((key) => !known.has(key))).toEqual([]);
});

describe('the unused-key check', () => {
  test('sees a key that nothing uses', () => {
    expect(isUsed(['no', 'such', 'key'].join('.'))).toBe(false);
  });
});

describe('spec 9: the Russian plural rule has three forms', () => {
  beforeAll(async () => {
    localStorage.setItem('locale', 'ru');
    startI18n(resources);
    await loadInsideTexts();
  });

  test.each([
    [1, '1 контроллер'],
    [2, '2 контроллера'],
    [5, '5 контроллеров'],
    [11, '11 контроллеров'],
    [21, '21 контроллер'],
    [22, '22 контроллера'],
    [111, '111 контроллеров'],
  ])('%i', (count, text) => {
    expect(i18next.t('controllers', { ns: 'organizations', count, formatted: String(count) })).toBe(text);
  });
});

describe('hints of the console', () => {
  test('a hint of several sentences ends with a full stop', () => {
    const hints = Object.values<{ ru: Tree; en: Tree }>(namespaces).flatMap(({ ru, en }) =>
      [ru, en].flatMap(listHints),
    );
    const long = hints.filter((hint) => /[.?!]\s+\p{Lu}/u.test(hint));
    expect(long.length).toBeGreaterThan(10);
    // A colon leads to what stands below.
    expect(long.filter((hint) => !/[.:]$/.test(hint))).toEqual([]);
  });

  function listHints(texts: Tree): string[] {
    return Object.entries(texts).flatMap(([key, value]) => {
      if (typeof value !== 'string') return listHints(value);
      return /hint$/i.test(key) ? [value] : [];
    });
  }
});

describe('words of the console', () => {
  const texts = Object.values<{ ru: Tree; en: Tree }>(namespaces)
    .flatMap(({ ru, en }) => [ru, en])
    .map((tree) => JSON.stringify(tree))
    .join('\n');

  test.each([
    ['Для этого нужна роль', 'Это может только владелец'],
    ['На связи', 'Последняя связь'],
    ['Состояние', 'Статус'],
    ['Новый контроллер', 'Добавить контроллер'],
    ['С чем или с кем', 'Объект'],
    ['"Журнал"', 'Журнал событий'],
    ['В группу перемещён', 'Контроллер перемещён в группу «{{name}}»'],
    ['Установите агента', 'Установите агент'],
    ['напечатает ссылку', 'Агент покажет ссылку'],
    ['{{sent}} туда', 'Отправлено {{sent}}, получено {{received}}'],
    ['Войти иначе', 'Войти под другим именем'],
    ['key pinned', 'host key saved'],
    ['одной кнопкой нельзя', 'Отменить это можно в течение 10 секунд'],
  ])('“%s” is nowhere, in its place is “%s”', (before, now) => {
    expect([texts.includes(before), texts.includes(now)]).toEqual([false, true]);
  });
});
