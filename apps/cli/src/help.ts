import { exitCodes } from './cli-error.ts';
import type { Command } from './command.ts';

const meanings: Record<keyof typeof exitCodes, string> = {
  failed: 'refused or failed otherwise',
  usage: 'the words of the command are wrong',
  notLoggedIn: 'no token, or one that is over',
  forbidden: 'the token or the role does not allow it',
  notFound: 'there is no such thing',
  unreachable: 'the server cannot be reached',
};

export function describeAll(commands: readonly Command[]): string {
  const names = commands.map(({ name, summary }) => `  ${name.padEnd(12)}${summary}\n`);
  return `Usage: pult COMMAND …\n\n${names.join('')}\npult COMMAND --help tells more of each.\n`;
}

const plain = (text: string) => text.replace(/\*\*|`/g, '');
const optionNames = ({ name, short, value }: NonNullable<Command['options']>[number]) =>
  `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`;

export function describeCommand({ name, usage, summary, description, examples, options }: Command): string {
  const parts = [
    `Usage: pult ${`${name} ${usage}`.trim()}`,
    `${summary}.`,
    ...(description ?? []).map(plain),
    options?.map((option) => `  ${optionNames(option).padEnd(24)}${plain(option.text)}`).join('\n'),
    examples?.map((example) => `  ${example}`).join('\n'),
  ];
  return `${parts.filter((part) => part !== undefined).join('\n\n')}\n`;
}

/** The same as a page. */
export function documentCommands(commands: readonly Command[]): string {
  const sections = commands.map(({ name, usage, summary, description, examples, options }) => {
    const parts = [
      `## pult ${name}`,
      `\`pult ${`${name} ${usage}`.trim()}\``,
      `${summary}.`,
      ...(description ?? []),
      options &&
        ['| Option | |', '|---|---|', ...options.map((option) => `| \`${optionNames(option)}\` | ${option.text} |`)].join('\n'),
      examples && ['```sh', ...examples, '```'].join('\n'),
    ];
    return parts.filter((part) => part !== undefined).join('\n\n');
  });
  const codes = Object.entries(exitCodes).map(
    // The keys are those of the table.
    ([name, code]) => `| ${code} | ${meanings[name as keyof typeof exitCodes]} |`,
  );
  const exits = ['## Exit codes', ['| Code | |', '|---|---|', '| 0 | done |', ...codes].join('\n')].join('\n\n');
  return `${[...sections, exits].join('\n\n')}\n`;
}
