import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CliError } from '../cli-error.ts';
import type { Command } from '../command.ts';

/** Beside the bundle, in a checkout as in a package. */
const program = fileURLToPath(new URL('../../server/dist/pult.js', import.meta.url));

export const admin: Command = {
  name: 'admin',
  usage: 'COMMAND …',
  summary: 'Administer the server on its own machine',
  description: [
    'Such as `pult admin user add EMAIL`, `pult admin backup create` or `pult admin doctor`; `pult admin` alone lists the commands. They work on the data of the server, with its settings and without a token; the form without `admin` (`pult doctor`, `npm run pult -- doctor`) stays.',
  ],
  examples: ['pult admin doctor'],
  words: [0],
  passesWords: true,
  async run({ positionals }) {
    if (!existsSync(program))
      throw new CliError('failed', 'There is no server here: pult admin runs on its machine.');
    const child = spawn(process.execPath, [program, ...positionals], { stdio: 'inherit' });
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve(code ?? 1));
    });
  },
};
