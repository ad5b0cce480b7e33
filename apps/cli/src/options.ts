import { type ParseArgsConfig, parseArgs } from 'node:util';
import { CliError } from './cli-error.ts';
import type { Command, Given } from './command.ts';

export function readWords(words: readonly string[], command: Command): Given {
  const { options = [], takesRest = false } = command;
  const known: NonNullable<ParseArgsConfig['options']> = {};
  for (const { name, short, value } of options) {
    known[name] = { type: value === undefined ? 'boolean' : 'string', ...(short ? { short } : {}) };
  }
  const end = takesRest ? words.indexOf('--') : -1;
  const args = end < 0 ? [...words] : words.slice(0, end);
  try {
    const { positionals, values } = parseArgs({ args, options: known, allowPositionals: true });
    const texts = Object.entries(values).filter(([, value]) => typeof value === 'string');
    return {
      positionals: [...positionals, ...(end < 0 ? [] : words.slice(end + 1))],
      values: Object.fromEntries(texts) as Given['values'], // Strings are all that the filter leaves.
      switches: new Set(Object.keys(values).filter((name) => values[name] === true)),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError('usage', `${reason}\nUsage: pult ${command.name} ${command.usage}`);
  }
}
