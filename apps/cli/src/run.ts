import { CliError, exitCodes } from './cli-error.ts';
import type { Surroundings } from './command.ts';
import { commands } from './commands/index.ts';
import { describeAll, describeCommand } from './help.ts';
import { findLogin } from './login-store.ts';
import { readWords } from './options.ts';
import { connectServer, toCliError } from './server.ts';

declare const CLI_VERSION: string;

/** Runs one command; answers the exit code. */
export async function run(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const { env, write, note } = surroundings;
  const [name = '--help', ...rest] = words;
  if (name === '--help' || name === '-h' || name === 'help') {
    write(describeAll(commands));
    return words.length === 0 ? exitCodes.usage : 0;
  }
  if (name === '--version') {
    write(`${CLI_VERSION}\n`);
    return 0;
  }
  try {
    const command = commands.find((each) => each.name === name);
    if (!command) throw new CliError('usage', `There is no command ${name}.\n\n${describeAll(commands)}`);
    const own = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
    if (own.includes('--help') || own.includes('-h')) {
      write(describeCommand(command));
      return 0;
    }
    const server = () => connectServer(findLogin(env), env);
    return (await command.run(readWords(rest, command), { ...surroundings, server })) ?? 0;
  } catch (error) {
    const { failure, message } = await toCliError(error);
    note(`${message.trimEnd()}\n`);
    return exitCodes[failure];
  }
}
