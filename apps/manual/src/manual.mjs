/** The pages of the manual as data and as HTML. Plain JavaScript: `npm start` builds with it before anything else is compiled. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';

export const locales = /** @type {const} */ (['en', 'ru']);
/** @typedef {(typeof locales)[number]} Locale */
/** @typedef {ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number]} Token */

/**
 * A page in one language. `sections` are what the search finds: the text under each heading.
 * @typedef {{ title: string, html: string, headings: Heading[], sections: { anchor: string, title: string, text: string }[],
 *   links: string[] }} Page
 * @typedef {{ level: number, anchor: string, title: string }} Heading
 * @typedef {{ contents: Chapter[], pages: Map<string, Record<Locale, Page>> }} Manual
 * @typedef {{ title: Record<Locale, string>, pages: string[] }} Chapter
 */

/** @type {Record<Locale, Record<'language' | 'other' | 'search' | 'console' | 'contents' | 'onPage' | 'previous' | 'next' | 'missing' | 'missingText' | 'none' | 'manual', string>>} */
const words = {
  en: {
    language: 'English',
    other: 'Русский',
    search: 'Search the manual',
    console: 'Back to the console',
    contents: 'Contents',
    onPage: 'On this page',
    previous: 'Previous',
    next: 'Next',
    missing: 'There is no such page in the manual',
    missingText: 'Search for it above, or choose a page from the contents.',
    none: 'Nothing found',
    manual: 'Pult manual',
  },
  ru: {
    language: 'Русский',
    other: 'English',
    search: 'Поиск по руководству',
    console: 'Вернуться в консоль',
    contents: 'Содержание',
    onPage: 'На этой странице',
    previous: 'Назад',
    next: 'Дальше',
    missing: 'Такой страницы в руководстве нет',
    missingText: 'Поищите её выше или выберите страницу в содержании.',
    none: 'Ничего не нашлось',
    manual: 'Руководство Pult',
  },
};

const escapes = /** @type {Record<string, string>} */ ({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
});
/** @param {string} text */
const escapeHtml = (text) => text.replace(/[&<>"]/g, (letter) => escapes[letter] ?? letter);

/** GitHub's anchor of a heading. @param {string} title */
const anchorOf = (title) =>
  title
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

/** @param {Token} token */
const textOf = (token) =>
  (token.children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');

/**
 * Where a link of a page leads: another page, an image, or as it stands.
 * @param {string} href
 * @param {Locale} locale
 */
function resolveLink(href, locale) {
  const page = /^([a-z0-9-]+)\.md(#.*)?$/.exec(href);
  if (page) return `/help/${locale}/${page[1] === 'index' ? '' : `${page[1]}/`}${page[2] ?? ''}`;
  if (href.startsWith('../images/')) return `/help/images/${href.slice('../images/'.length)}`;
  return href;
}

/**
 * @param {string} source
 * @param {{ locale: Locale, anchors?: string[] | undefined }} options `anchors`: those of the English page, which all languages
 *   share, so that a link to a heading holds in each.
 * @returns {Page}
 */
export function readPage(source, { locale, anchors }) {
  const markdown = new MarkdownIt({ html: false, linkify: false });
  const tokens = markdown.parse(source, {});
  /** @type {Heading[]} */
  const headings = [];
  /** @type {Page['sections']} */
  const sections = [];
  /** @type {string[]} */
  const links = [];
  tokens.forEach((token, index) => {
    if (token.type === 'heading_open') {
      const inline = tokens[index + 1];
      const title = inline ? textOf(inline) : '';
      const anchor = anchors?.[headings.length] ?? anchorOf(title);
      headings.push({ level: Number(token.tag.slice(1)), anchor, title });
      sections.push({ anchor, title, text: '' });
      token.attrSet('id', anchor);
    } else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') {
      const section = sections.at(-1);
      if (section) section.text += `${textOf(token)} `;
    } else if (token.type === 'fence') {
      const section = sections.at(-1);
      if (section) section.text += `${token.content} `;
    } else if (token.type === 'table_open') token.attrSet('tabindex', '0');
    for (const child of token.children ?? []) {
      const name = child.type === 'link_open' ? 'href' : child.type === 'image' ? 'src' : undefined;
      if (name === undefined) continue;
      const href = String(child.attrGet(name));
      links.push(href);
      child.attrSet(name, resolveLink(href, locale));
      if (name === 'src') child.attrSet('loading', 'lazy');
    }
  });
  const title = headings[0]?.title ?? '';
  return { title, headings, sections, links, html: markdown.renderer.render(tokens, markdown.options, {}) };
}

/** @param {string} docs @returns {Manual} */
export function readManual(docs) {
  /** @type {Chapter[]} */
  const contents = JSON.parse(readFileSync(join(docs, 'contents.json'), 'utf8'));
  /** @type {Manual['pages']} */
  const pages = new Map();
  for (const slug of ['index', ...contents.flatMap((chapter) => chapter.pages)]) {
    const read = (/** @type {Locale} */ locale) => readFileSync(join(docs, locale, `${slug}.md`), 'utf8');
    const en = readPage(read('en'), { locale: 'en' });
    const anchors = en.headings.map(({ anchor }) => anchor);
    pages.set(slug, { en, ru: readPage(read('ru'), { locale: 'ru', anchors }) });
  }
  return { contents, pages };
}

/** @param {Manual} manual @param {Locale} locale */
export function searchEntries({ pages }, locale) {
  return [...pages].flatMap(([slug, { [locale]: page }]) =>
    page.sections.map(({ anchor, title, text }, index) => ({
      id: `${addressOf(slug, locale)}${index === 0 ? '' : `#${anchor}`}`,
      page: page.title,
      title,
      text: text.replace(/\s+/g, ' ').trim(),
    })),
  );
}

/** @param {string} slug @param {Locale} locale */
const addressOf = (slug, locale) => `/help/${locale}/${slug === 'index' || slug === '404' ? '' : `${slug}/`}`;

/**
 * @param {Manual} manual
 * @param {{ locale: Locale, slug: string, script: string, style: string, search: string }} options
 */
export function renderPage({ contents, pages }, { locale, slug, script, style, search }) {
  const say = words[locale];
  const page = pages.get(slug)?.[locale];
  const title = page?.title ?? say.missing;
  const order = contents.flatMap((chapter) => chapter.pages);
  const place = order.indexOf(slug);
  const linkTo = (
    /** @type {string | undefined} */ to,
    /** @type {string} */ label,
    /** @type {string} */ name,
  ) => {
    const target = to === undefined ? undefined : pages.get(to)?.[locale];
    return target && to !== undefined
      ? `<a class="${name}" href="${addressOf(to, locale)}"><span>${label}</span>${escapeHtml(target.title)}</a>`
      : '';
  };
  const nav = contents
    .map(({ title: chapter, pages: slugs }) => {
      const items = slugs.map((to) => {
        const current = to === slug ? ' aria-current="page"' : '';
        return `<li><a href="${addressOf(to, locale)}"${current}>${escapeHtml(pages.get(to)?.[locale].title ?? to)}</a></li>`;
      });
      return `<h2>${escapeHtml(chapter[locale])}</h2><ul>${items.join('')}</ul>`;
    })
    .join('');
  const toc = (page?.headings ?? [])
    .filter(({ level }) => level === 2)
    .map(
      ({ anchor, title: heading }) => `<li><a href="#${escapeHtml(anchor)}">${escapeHtml(heading)}</a></li>`,
    );
  const other = locale === 'en' ? 'ru' : 'en';
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}${slug === 'index' ? '' : ` – ${say.manual}`}</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
</head>
<body>
<header>
<a class="brand" href="/help/${locale}/">${say.manual}</a>
<div class="search" role="search">
<input type="search" placeholder="${say.search}" aria-label="${say.search}" data-search="${search}" data-none="${say.none}" autocomplete="off" spellcheck="false">
<ol hidden></ol>
</div>
<a class="language" href="${addressOf(slug, other)}" lang="${other}" hreflang="${other}">${say.other}</a>
<a class="console" href="/">${say.console}</a>
</header>
<div class="page">
<nav aria-label="${say.contents}"><details><summary>${say.contents}</summary>${nav}</details></nav>
<main>
<article>${page?.html ?? `<h1>${escapeHtml(say.missing)}</h1><p>${escapeHtml(say.missingText)}</p>`}</article>
<footer>${place > 0 ? linkTo(order[place - 1], say.previous, 'previous') : ''}${linkTo(order[place + 1], say.next, 'next')}</footer>
</main>
${toc.length > 1 ? `<aside><h2>${say.onPage}</h2><ul>${toc.join('')}</ul></aside>` : '<aside></aside>'}
</div>
</body>
</html>
`;
}
