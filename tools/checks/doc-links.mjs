/** Every relative link of a Markdown file leads to a file that is there, and to a heading that is there. */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { root, runCommand } from '../processes.mjs';

export const docLinks = {
  name: 'links in docs',
  async run() {
    const files = await listTrackedFiles('*.md');
    const texts = files.map((file) => ({
      file: join(root, file),
      text: readFileSync(join(root, file), 'utf8'),
    }));
    return texts.flatMap(({ file, text }) => findBrokenLinks(file, text));
  },
};

/** Files that git knows or would take up; in a copy without git, none can be asked for. */
async function listTrackedFiles(pattern) {
  const { code, output } = await runCommand('git', [
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    pattern,
  ]);
  if (code === 0) return output.split('\n').filter((file) => file !== '' && existsSync(join(root, file)));
  return ['README.md', 'README.ru.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
}

export function findBrokenLinks(file, text) {
  const prose = withoutCode(text);
  const links = [
    ...[...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g)].map((match) => match[1]),
    ...[...prose.matchAll(/\b(?:src|href)="([^"]+)"/g)].map((match) => match[1]),
  ];
  return links.map((link) => explainBrokenLink(file, link)).filter((problem) => problem !== undefined);
}

function explainBrokenLink(file, link) {
  if (/^[a-z][a-z0-9+.-]*:/i.test(link) || link.startsWith('//')) return undefined;
  const [path, anchor] = link.split('#');
  const target = path === '' ? file : resolve(dirname(file), decodeURIComponent(path));
  const place = relative(root, file);
  if (!existsSync(target)) return `${place}: ${link} leads nowhere.`;
  if (!anchor || !target.endsWith('.md') || statSync(target).isDirectory()) return undefined;
  const anchors = listAnchors(readFileSync(target, 'utf8'));
  return anchors.includes(decodeURIComponent(anchor))
    ? undefined
    : `${place}: ${link} names no heading there.`;
}

function listAnchors(text) {
  return [...withoutCode(text).matchAll(/^#{1,6}\s+(.+)$/gm)].map(([, title]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}

function withoutCode(text) {
  return text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '');
}
