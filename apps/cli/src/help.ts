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
const line = ({ name, usage }: Command) => `pult ${name} ${usage}`.trim();
const optionNames = ({ name, short, value }: NonNullable<Command['options']>[number]) =>
  `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`;

export const usageOf = (command: Command) => `Usage: ${line(command)}`;

export function describeCommand(command: Command): string {
  const { summary, description = [], examples, options } = command;
  const parts = [
    usageOf(command),
    `${summary}.`,
    ...description.map(plain),
    options?.map((option) => `  ${optionNames(option).padEnd(24)}${plain(option.text)}`).join('\n'),
    examples?.map((example) => `  ${example}`).join('\n'),
  ];
  return `${parts.filter((part) => part !== undefined).join('\n\n')}\n`;
}

function createTable(head: string, rows: readonly string[][]): string {
  const cells = (row: readonly string[]) =>
    `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [`| ${head} | |`, '|---|---|', ...rows.map(cells)].join('\n');
}

/** The same as a page. */
export function documentCommands(commands: readonly Command[]): string {
  const sections = commands.flatMap((command) => {
    const { name, summary, description = [], examples, options } = command;
    return [
      `## pult ${name}`,
      `\`${line(command)}\``,
      `${summary}.`,
      ...description,
      options &&
        createTable(
          'Option',
          options.map((option) => [`\`${optionNames(option)}\``, option.text]),
        ),
      examples && ['```sh', ...examples, '```'].join('\n'),
    ];
  });
  const codes = Object.entries(exitCodes).map(([name, code]) => [
    String(code),
    meanings[name as keyof typeof exitCodes], // The keys are those of the table.
  ]);
  const exits = ['## Exit codes', createTable('Code', [['0', 'done'], ...codes])];
  return `${[...sections, ...exits].filter((part) => part !== undefined).join('\n\n')}\n`;
}
