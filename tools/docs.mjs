/** Writes what docs repeat from the code: `npm run docs`. */

import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { root } from './processes.mjs';
import { PlainError, printRow, runTool } from './terminal.mjs';

const table = {
  path: 'docs/self-hosting.md',
  start: '<!-- variables: made by npm run docs -->',
  end: '<!-- /variables -->',
};

/** Paths and full texts of the documents that depend on the code. */
export async function createDocuments() {
  const variables = await loadVariables();
  return [
    {
      path: table.path,
      text: replaceTable(readFileSync(join(root, table.path), 'utf8'), createTable(variables)),
    },
    { path: '.env.example', text: createExample(variables) },
  ];
}

async function loadVariables() {
  // Loaded late: whoever starts a tool on a fresh clone has no esbuild yet.
  const { build } = await import('esbuild');
  const outfile = join(root, '.cache', 'docs', `variables-${process.pid}.mjs`);
  await mkdir(join(root, '.cache', 'docs'), { recursive: true });
  await build({
    entryPoints: [join(root, 'apps/server/src/config/variables.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  const { environmentVariables } = await import(pathToFileURL(outfile).href);
  return environmentVariables;
}

function replaceTable(document, text) {
  const [before, rest] = document.split(table.start);
  const after = rest?.split(table.end)[1];
  if (after === undefined) throw new PlainError(`${table.path} has no place for the variables.`);
  return `${before}${table.start}\n\n${text}\n${table.end}${after}`;
}

function createTable(variables) {
  const cell = (text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
  const rows = variables.map(
    (variable) => `| \`${variable.name}\` | ${cell(variable.default)} | ${cell(variable.description)} |`,
  );
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows, ''].join('\n');
}

function createExample(variables) {
  const entries = variables.map(
    (variable) => `# ${variable.description}.\n# Default: ${variable.default}\n#${variable.name}=\n`,
  );
  return [
    '# Copy to .env and take the # away in front of what you set. Variables of the environment win over this file.\n',
    ...entries,
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runTool(async () => {
    for (const { path, text } of await createDocuments()) {
      writeFileSync(join(root, path), text);
      printRow('passed', path);
    }
  });
}
