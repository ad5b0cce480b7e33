/** Every relative link of a Markdown file leads to a file that is there, and to a heading that is there. */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Check } from '../check.ts';
import { root } from '../processes.mjs';
import { readSources, type Source } from './sources.ts';

export const docLinks: Check = {
  name: 'links in docs',
  async run() {
    // Pages of the manual have anchors of their own: a heading has the same one in all languages (apps/manual).
    return (await readSources(['*.md', ':!docs/en', ':!docs/ru'])).flatMap(findBrokenLinks);
  },
};

export function findBrokenLinks({ path, text }: Source): string[] {
  const links = [...withoutCode(text).matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)|\b(?:src|href)="([^"]+)"/g)];
  return links
    .map(([, inText, inTag]) => explainBrokenLink(path, inText ?? inTag ?? ''))
    .filter((problem) => problem !== undefined);
}

function explainBrokenLink(document: string, link: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(link) || link.startsWith('//')) return undefined;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? join(root, document) : join(root, dirname(document), decodeURIComponent(path));
  if (!existsSync(target)) return `${document}: ${link} leads nowhere.`;
  if (!anchor || !target.endsWith('.md') || statSync(target).isDirectory()) return undefined;
  const anchors = listAnchors(readFileSync(target, 'utf8'));
  return anchors.includes(decodeURIComponent(anchor))
    ? undefined
    : `${document}: ${link} names no heading there.`;
}

function listAnchors(text: string): string[] {
  return [...withoutCode(text).matchAll(/^#{1,6}\s+(.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}

function withoutCode(text: string): string {
  return text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '');
}
