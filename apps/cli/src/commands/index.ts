import { CliError } from '../cli-error.ts';
import type { Command } from '../command.ts';
import { shells, writeCompletion } from '../completion.ts';
import { usageOf } from '../help.ts';
import { admin } from './admin.ts';
import { api } from './api.ts';
import { diagnostics } from './diagnostics.ts';
import { forward } from './forward.ts';
import { inventory } from './inventory.ts';
import { list, show } from './list.ts';
import { login, logout } from './login.ts';
import { open } from './open.ts';
import { copy, proxy, ssh } from './ssh.ts';

const completion: Command = {
  name: 'completion',
  usage: 'bash|zsh',
  summary: 'Completion for a shell',
  examples: ['source <(pult completion bash)'],
  words: [1, 1],
  choices: shells,
  async run({ positionals: [name] }, { write }) {
    const shell = shells.find((each) => each === name);
    if (!shell) throw new CliError('usage', usageOf(completion));
    write(writeCompletion(shell, commands));
    return undefined;
  },
};

export const commands: readonly Command[] = [
  login,
  logout,
  list,
  show,
  ssh,
  copy,
  proxy,
  forward,
  open,
  diagnostics,
  inventory,
  api,
  completion,
  admin,
];
