import { type ParseArgsConfig, parseArgs } from 'node:util';
import { CliError } from './cli-error.ts';
import type { Command, Given } from './command.ts';
import { usageOf } from './help.ts';

export function readWords(words: readonly string[], command: Command): Given {
  if (command.passesWords) return { positionals: [...words], values: {}, switches: new Set() };
  const { options = [], takesRest = false } = command;
  const known: NonNullable<ParseArgsConfig['options']> = {};
  for (const { name, short, value } of options) {
    known[name] = { type: value === undefined ? 'boolean' : 'string', ...(short ? { short } : {}) };
  }
  const end = takesRest ? words.indexOf('--') : -1;
  const args = end < 0 ? [...words] : words.slice(0, end);
  const { positionals, values } = parse(args, known, command);
  const [least, most = Number.POSITIVE_INFINITY] = command.words;
  const all = [...positionals, ...(end < 0 ? [] : words.slice(end + 1))];
  if (positionals.length < least || all.length > most) throw new CliError('usage', usageOf(command));
  return {
    positionals: all,
    values: Object.fromEntries(
      Object.entries(values).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    ),
    switches: new Set(Object.keys(values).filter((name) => values[name] === true)),
  };
}

function parse(args: string[], options: NonNullable<ParseArgsConfig['options']>, command: Command) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError('usage', `${reason}\n${usageOf(command)}`);
  }
}
