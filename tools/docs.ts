/** Writes what docs and other files repeat from the code and from the tests: `npm run docs`. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Command } from '../apps/cli/src/command.ts';
import { createSpecCoverage } from './checks/spec-coverage.ts';
import { createThirdParty } from './packaging/third-party.ts';
import { root } from './processes.mjs';
import { PlainError, printRow } from './terminal.mjs';

interface GeneratedDocument {
  path: string;
  text: string;
}

interface Metric {
  name: string;
  help: string;
  type: string;
  labels?: readonly string[];
}

interface EnvironmentVariable {
  name: string;
  default: string;
  description: string;
}

export async function main(): Promise<void> {
  for (const { path, text } of await createDocuments()) {
    writeFileSync(join(root, path), text);
    printRow('passed', path);
  }
}

/** Paths and full texts of the documents, and of the lists, that depend on the code. */
export async function createDocuments(): Promise<GeneratedDocument[]> {
  // Loaded here, so that a mistake in them fails this check alone.
  const [{ environmentVariables }, { helpText }, { listMetrics }, commands, { documentCommands }] =
    await Promise.all([
      import('../apps/server/src/config/env.ts'),
      import('../apps/agent/src/config/help.ts'),
      import('../apps/server/src/list-metrics.ts'),
      listCommands(),
      import('../apps/cli/src/help.ts'),
    ]);
  return [
    embedFiles(replacePart('docs/self-hosting.md', createTable(environmentVariables))),
    replacePart('docs/agent.md', `\`\`\`\n${helpText.trim()}\n\`\`\`\n`),
    replacePart('docs/cli.md', documentCommands(commands)),
    { path: `${commandFolder}/all.ts`, text: exportCommands() },
    ...['deploy/pult', 'deploy/debian/pult-server/pult'].map((path) => handOver(path, commands)),
    replacePart('docs/metrics.md', createMetricTable(await listMetrics())),
    replacePart('docs/spec-coverage.md', await createSpecCoverage()),
    { path: '.env.example', text: createExample(environmentVariables) },
    { path: 'THIRD-PARTY.md', text: createThirdParty() },
  ];
}

const commandFolder = 'apps/cli/src/commands';
const commandFiles = () =>
  readdirSync(join(root, commandFolder))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .filter((name) => name !== 'index.ts' && name !== 'all.ts')
    .sort();

/** Of all files of their folder, also of those that no list has yet; by name. */
async function listCommands(): Promise<Command[]> {
  const modules = await Promise.all(
    commandFiles().map((name): Promise<Record<string, Command>> => import(join(root, commandFolder, name))),
  );
  return modules
    .flatMap((module) => Object.values(module))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

function exportCommands(): string {
  const lines = commandFiles().map((name) => `export * from './${name}';\n`);
  return `// Written by \`npm run docs\`.\n${lines.join('')}`;
}

/** What the packages' own `pult` hands to the command line; the rest is the server's. */
function handOver(path: string, commands: readonly Command[]): GeneratedDocument {
  const names = commands.map(({ name }) => name).filter((name) => name !== 'admin');
  const text = readFileSync(join(root, path), 'utf8');
  return { path, text: text.replace(/^ {2}\w+( \| \w+)+\)$/m, `  ${names.join(' | ')})`) };
}

/** A hand-written document holds one part that the code decides, between two marks. */
function replacePart(path: string, part: string): GeneratedDocument {
  const [start, end] = ['<!-- made by npm run docs -->', '<!-- end of what is made -->'];
  const [before, rest] = readFileSync(join(root, path), 'utf8').split(start);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new PlainError(`${path} has lost its marks ${start} and ${end}.`);
  return { path, text: `${before}${start}\n\n${part}\n${end}${after}` };
}

/** Whole files stand in a document where it names them: what is read there is what the tests run. */
function embedFiles({ path, text }: GeneratedDocument): GeneratedDocument {
  const marks = /(<!-- file (\S+) -->\n)[\s\S]*?(<!-- end of file -->)/g;
  const embed = (_: string, start: string, file: string, end: string) => {
    const content = readFileSync(join(root, file), 'utf8').trimEnd();
    return `${start}\n\`\`\`${extname(file).slice(1)}\n${content}\n\`\`\`\n\n${end}`;
  };
  return { path, text: text.replace(marks, embed) };
}

function createMetricTable(metrics: readonly Metric[]): string {
  const rows = metrics.map(({ name, type, labels = [], help }) => {
    const names = labels.map((label) => `\`${label}\``).join(', ');
    return `| \`${name}\` | ${type} | ${names} | ${help} |`;
  });
  return ['| Metric | Type | Labels | Meaning |', '|---|---|---|---|', ...rows, ''].join('\n');
}

function createTable(variables: readonly EnvironmentVariable[]): string {
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
  const rows = variables.map(
    (variable) => `| \`${variable.name}\` | ${cell(variable.default)} | ${cell(variable.description)} |`,
  );
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows, ''].join('\n');
}

function createExample(variables: readonly EnvironmentVariable[]): string {
  const entries = variables.map(
    (variable) => `# ${variable.description}.\n# Default: ${variable.default}\n#${variable.name}=\n`,
  );
  return [
    '# Copy to .env and take the # away in front of what you set. Variables of the environment win over this file.\n',
    ...entries,
  ].join('\n');
}
