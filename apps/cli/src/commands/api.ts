import { routes } from '@pult/contract';
import { readFileSync } from 'node:fs';
import { CliError } from '../cli-error.ts';
import type { Command } from '../command.ts';
import { describeRefusal, failureOf } from '../server.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The path of a call of the API. An address of elsewhere would get the token. */
function readPath(text: string): string {
  const path = text.startsWith('/') ? text : `/api/v1/${text}`;
  const isOwn = path.startsWith('/api/v1/') && new URL(path, 'http://server').host === 'server';
  if (!isOwn) throw new CliError('usage', `${text} is no path of the API, such as controllers/ or /api/v1/controllers/.`);
  return path;
}

async function readData(value: string, readInput: () => Promise<string>): Promise<string> {
  if (value === '-') return readInput();
  return value.startsWith('@') ? readFileSync(value.slice(1), 'utf8') : value;
}

export const api: Command = {
  name: 'api',
  usage: 'METHOD PATH [--data JSON]',
  summary: 'Make any call of the API',
  description: [
    'PATH may leave out `/api/v1/`. The answer is written as it comes; a refusal goes to the standard error, with the exit code of its kind.',
    '`pult api --list` lists all calls, with what a token needs for each.',
  ],
  examples: ['pult api GET organizations/', 'pult api PATCH controllers/A1B2C3D4/ --data \'{"description":"Boiler"}\''],
  options: [
    { name: 'data', short: 'd', value: 'JSON', text: 'The body; `@FILE` reads a file, `-` the standard input' },
    { name: 'list', text: 'List the calls' },
  ],
  async run({ positionals: [method = '', path = ''], values, switches }, { server, write, readInput }) {
    if (switches.has('list')) {
      for (const each of Object.values(routes)) {
        write(`${each.method.padEnd(7)}${each.path}  ${each.summary}\n`);
      }
      return undefined;
    }
    if (!methods.includes(method.toUpperCase()) || path === '') {
      throw new CliError('usage', 'pult api METHOD PATH [--data JSON]');
    }
    const body = values.data === undefined ? undefined : await readData(values.data, readInput);
    const answer = await server().request(method.toUpperCase(), readPath(path), body);
    const text = await answer.text();
    if (!answer.ok) throw new CliError(failureOf(answer.status), describeRefusal(answer.status, text));
    if (text !== '') write(text.endsWith('\n') ? text : `${text}\n`);
    return undefined;
  },
};
