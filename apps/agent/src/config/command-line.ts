import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultConfigPath, readConfigFile } from './config-file.ts';
import { type Config, checkSettings, type RawSettings, settings } from './settings.ts';

const commands = ['run', 'status', 'doctor', 'enroll', 'unlink'] as const;
type CommandName = (typeof commands)[number];

/** What the user asks for. */
export type Command =
  | { name: CommandName; config: Config }
  | { name: 'help' }
  | { name: 'version' }
  | { name: 'problems'; problems: string[] };

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads flags over environment over config file; all problems come together. */
export function readCommandLine(args: readonly string[], env: Environment): Command {
  const problems: string[] = [];
  const { values, words, isHelp, isVersion, configPath } = readFlags(args, problems);
  if (isHelp || args.length === 0) return { name: 'help' };
  if (isVersion) return { name: 'version' };
  const [word, ...rest] = words;
  const name = commands.find((known) => known === word);
  if (!name) problems.push(word ? `unknown command "${word}"` : 'no command');
  for (const extra of rest) problems.push(`unexpected "${extra}"`);

  const fromEnvironment: RawSettings = {};
  for (const setting of settings) {
    const value = env[setting.env];
    if (value) fromEnvironment[setting.name] = value;
  }
  const path = configPath ?? (env.PULT_CONFIG || undefined);
  const fromFile = readConfigFile(path ?? defaultConfigPath, path === undefined, problems);
  const config = checkSettings(
    { ...fromFile, ...fromEnvironment, ...values },
    {
      env,
      readFile: (file) => readFileSync(file, 'utf8'),
      isServerNeeded: name === 'run' || name === 'enroll' || name === 'doctor',
      defaultStateDir: getDefaultStateDir(),
    },
  );
  if ('problems' in config) problems.push(...config.problems);
  if (problems.length > 0 || !name || 'problems' in config) return { name: 'problems', problems };
  return { name, config };
}

function readFlags(args: readonly string[], problems: string[]) {
  const takesValue = [...settings.map(({ flag }) => flag), 'config'];
  const { tokens } = parseArgs({
    args: [...args],
    options: {
      ...Object.fromEntries(takesValue.map((flag) => [flag, { type: 'string' as const }])),
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'V' },
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const found = { values: {} as RawSettings, words: [] as string[], isHelp: false, isVersion: false };
  let configPath: string | undefined;
  for (const token of tokens) {
    if (token.kind === 'positional') found.words.push(token.value);
    if (token.kind !== 'option') continue;
    const setting = settings.find(({ flag }) => flag === token.name);
    if (token.name === 'help') found.isHelp = true;
    else if (token.name === 'version') found.isVersion = true;
    else if (!setting && token.name !== 'config') problems.push(`unknown flag ${token.rawName}`);
    else if (!token.value || token.value.startsWith('--')) problems.push(`${token.rawName} needs a value`);
    else if (setting) found.values[setting.name] = token.value;
    else configPath = token.value;
  }
  return { ...found, configPath };
}

function getDefaultStateDir(): string {
  return process.getuid?.() === 0 ? '/var/lib/pult-agent' : join(homedir(), '.local/state/pult-agent');
}
