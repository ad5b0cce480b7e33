/** Writes what docs repeat from the code: `npm run docs`. */

import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { root } from './processes.mjs';
import { PlainError, printRow, runTool } from './terminal.mjs';

/** Paths and full texts of the documents that depend on the code. */
export async function createDocuments() {
  const [{ environmentVariables }, { helpText }] = await Promise.all([
    loadModule('apps/server/src/config/variables.ts'),
    loadModule('apps/agent/src/config/help.ts'),
  ]);
  return [
    embedFiles(replacePart('docs/self-hosting.md', createTable(environmentVariables))),
    replacePart('docs/agent.md', `\`\`\`\n${helpText.trim()}\n\`\`\`\n`),
    { path: '.env.example', text: createExample(environmentVariables) },
  ];
}

async function loadModule(path) {
  // Loaded late: whoever starts a tool on a fresh clone has no esbuild yet.
  const { build } = await import('esbuild');
  const folder = join(root, '.cache', 'docs');
  const outfile = join(folder, `${basename(path, '.ts')}-${process.pid}.mjs`);
  await mkdir(folder, { recursive: true });
  try {
    const entryPoints = [join(root, path)];
    await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(outfile, { force: true });
  }
}

/** A hand-written document holds one part that the code decides, between two marks. */
function replacePart(path, part) {
  const [start, end] = ['<!-- made by npm run docs -->', '<!-- end of what is made -->'];
  const [before, rest] = readFileSync(join(root, path), 'utf8').split(start);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new PlainError(`${path} has lost its marks ${start} and ${end}.`);
  return { path, text: `${before}${start}\n\n${part}\n${end}${after}` };
}

/** Whole files stand in a document where it names them: what is read there is what the tests run. */
function embedFiles({ path, text }) {
  const marks = /(<!-- file (\S+) -->\n)[\s\S]*?(<!-- end of file -->)/g;
  const embed = (_, start, file, end) => {
    const content = readFileSync(join(root, file), 'utf8').trimEnd();
    return `${start}\n\`\`\`${extname(file).slice(1)}\n${content}\n\`\`\`\n\n${end}`;
  };
  return { path, text: text.replace(marks, embed) };
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
