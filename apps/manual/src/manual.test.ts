import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { locales, readManual, readPage, renderPage, searchEntries } from './manual.mjs';

const docs = join(fileURLToPath(import.meta.url), '../../../../docs');
const manual = readManual(docs);
const files = { script: '/help/assets/s.js', style: '/help/assets/s.css', search: '/help/assets/s.json' };

describe.each([...manual.pages])('the page %s', (_slug, { en, ru }) => {
  it('the languages have the same headings', () => {
    expect(ru.headings.map(({ level }) => level)).toEqual(en.headings.map(({ level }) => level));
    expect(en.headings[0]?.level).toBe(1);
  });

  it('the languages have the same code', () => {
    const codeOf = (html: string) => [...html.matchAll(/<pre>.*?<\/pre>/gs)].map(([code]) => code);
    expect(codeOf(ru.html)).toEqual(codeOf(en.html));
  });

  it.each(locales)('leads to pages and headings that exist (%s)', (locale) => {
    for (const link of { en, ru }[locale].links) {
      const [, slug, anchor] = /^([a-z0-9-]+)\.md(?:#(.*))?$/.exec(link) ?? [];
      if (slug === undefined) {
        expect(link, `${link} is neither a page, an image nor an address`).toMatch(
          /^(https:\/\/|#|\.\.\/images\/)/,
        );
        continue;
      }
      const target = manual.pages.get(slug);
      expect(target, link).toBeDefined();
      if (anchor) expect(target?.en.headings.map((heading) => heading.anchor)).toContain(anchor);
    }
  });
});

it('every page of docs/en and docs/ru stands in the contents once', () => {
  const listed = ['index', ...manual.contents.flatMap(({ pages }) => pages)]
    .map((slug) => `${slug}.md`)
    .sort();
  for (const locale of locales) expect(readdirSync(join(docs, locale)).sort()).toEqual(listed);
});

it('a page holds no markup of its text', () => {
  const page = readPage('# A <b>title</b>\n\n<script>alert(1)</script> [x](javascript:alert(1))', {
    locale: 'en',
  });
  expect(page.html).not.toMatch(/<script|<b>|href="javascript/);
});

it('a page in Russian has the anchors of the English one, so that one link fits both', () => {
  const page = readPage('# Ключи\n\n## Добавить ключ\n', { locale: 'ru', anchors: ['keys', 'add-a-key'] });
  expect(page.html).toContain('<h2 id="add-a-key">');
});

it('the search finds what stands under each heading', () => {
  const entries = searchEntries(manual, 'ru');
  const id = '/help/ru/first-controller/#claim-the-controller';
  expect(entries.find((entry) => entry.id === id)?.text).toContain('серийный номер');
});

it('a page that does not exist says so in its language', () => {
  const html = renderPage(manual, { locale: 'ru', slug: '404', ...files });
  expect(html).toContain('lang="ru"');
  expect(html).toContain('Такой страницы');
});
