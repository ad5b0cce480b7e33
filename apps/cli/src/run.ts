import { CliError, exitCodes } from './cli-error.ts';
import type { Surroundings } from './command.ts';
import { commands } from './commands/index.ts';
import { describeAll, describeCommand } from './help.ts';
import { findLogin } from './login-store.ts';
import { readWords } from './options.ts';
import { formatJson, hideTokens, toPlainLines } from './plain-text.ts';
import { connectServer, toCliError } from './server.ts';

/** Put in by build.mjs; absent when the sources run unbundled, as in tests. */
declare const CLI_VERSION: string | undefined;

const cliVersion = typeof CLI_VERSION === 'string' ? CLI_VERSION : '0.0.0-source';

/** Runs one command; answers the exit code. */
export async function run(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const { env, write } = surroundings;
  const note = (text: string) => surroundings.note(toPlainLines(hideTokens(text)));
  const [name = '--help', ...rest] = words;
  if (name === '--help' || name === '-h' || name === 'help') {
    (words.length === 0 ? note : write)(describeAll(commands));
    return words.length === 0 ? exitCodes.usage : 0;
  }
  if (name === '--version') {
    write(`${cliVersion}\n`);
    return 0;
  }
  const own = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
  try {
    const command = commands.find((each) => each.name === name);
    if (!command) throw new CliError('usage', `There is no command ${name}.\n\n${describeAll(commands)}`);
    if (own.includes('--help') || own.includes('-h')) {
      write(describeCommand(command));
      return 0;
    }
    const server = () => connectServer(findLogin(env), env);
    return (await command.run(readWords(rest, command), { ...surroundings, note, server, commands })) ?? 0;
  } catch (error) {
    const { failure, message } = await toCliError(error);
    note(own.includes('--json') ? formatJson({ failure, detail: message }) : `${message.trimEnd()}\n`);
    return exitCodes[failure];
  }
}
