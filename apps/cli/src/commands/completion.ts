import { CliError } from '../cli-error.ts';
import type { Command } from '../command.ts';
import { shells, writeCompletion } from '../completion.ts';
import { usageOf } from '../help.ts';

export const completion: Command = {
  name: 'completion',
  usage: 'bash|zsh',
  summary: 'Completion for a shell',
  examples: ['source <(pult completion bash)'],
  words: [1, 1],
  choices: shells,
  async run({ positionals: [name] }, { commands, write }) {
    const shell = shells.find((each) => each === name);
    if (!shell) throw new CliError('usage', usageOf(completion));
    write(writeCompletion(shell, commands));
    return undefined;
  },
};
