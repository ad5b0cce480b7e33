/** Builds the manual: the pages of docs/en and docs/ru as a site that the server hands out at /help/. */

import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { locales, readManual, renderPage, searchEntries } from './src/manual.mjs';

const directory = dirname(fileURLToPath(import.meta.url));
const docs = join(directory, '../../docs');
const dist = join(directory, 'dist');

rmSync(dist, { recursive: true, force: true });
const assets = join(dist, 'assets');
mkdirSync(assets, { recursive: true });

/**
 * Writes a file under a name with its digest, so that browsers keep it for as long as it is the same.
 * @param {string} name
 * @param {Uint8Array} content
 */
function writeAsset(name, content) {
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 10);
  const hashed = name.replace('.', `-${digest}.`);
  writeFileSync(join(assets, hashed), content);
  return `/help/assets/${hashed}`;
}

const { outputFiles } = await build({
  absWorkingDir: directory,
  entryPoints: ['src/search.js', 'src/manual.css'],
  outdir: 'out',
  bundle: true,
  minify: true,
  format: 'esm',
  target: ['es2022', 'chrome109', 'firefox115', 'safari16'],
  legalComments: 'none',
  logLevel: 'warning',
  write: false,
});
const built = (/** @type {string} */ end) =>
  outputFiles.find(({ path }) => path.endsWith(end))?.contents ?? new Uint8Array();
const links = {
  script: writeAsset('search.js', built('search.js')),
  style: writeAsset('manual.css', built('manual.css')),
};

const manual = readManual(docs);
for (const locale of locales) {
  const search = writeAsset(`${locale}.json`, Buffer.from(JSON.stringify(searchEntries(manual, locale))));
  for (const slug of [...manual.pages.keys(), '404']) {
    const folder = slug === 'index' || slug === '404' ? join(dist, locale) : join(dist, locale, slug);
    mkdirSync(folder, { recursive: true });
    const file = join(folder, slug === '404' ? '404.html' : 'index.html');
    writeFileSync(file, renderPage(manual, { locale, slug, ...links, search }));
  }
}
if (existsSync(join(docs, 'images'))) cpSync(join(docs, 'images'), join(dist, 'images'), { recursive: true });
