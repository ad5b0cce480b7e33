import { readFileSync } from 'node:fs';
import { routes, scopeOfCall } from '@pult/contract';
import { CliError } from '../cli-error.ts';
import { type Command, jsonAnyhowOption, type Surroundings } from '../command.ts';
import { formatJson, toPlainJson, toPlainLines } from '../plain-text.ts';
import { refusalOf } from '../server.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The path of a call of the API, and of this server: an address of elsewhere would get the token. */
function readPath(text: string): string {
  const base = 'http://server';
  const given = text.startsWith('/') ? text : `/api/v1/${text}`;
  const url = URL.canParse(given, base) ? new URL(given, base) : undefined;
  if (
    text.split('?')[0]?.includes('//') ||
    url?.origin !== base ||
    !url.pathname.startsWith('/api/v1/') ||
    url.username !== ''
  ) {
    throw new CliError('usage', 'PATH is one of the API, such as controllers/ or /api/v1/controllers/.');
  }
  return url.pathname + url.search;
}

async function readData(value: string, { readInput }: Surroundings): Promise<string> {
  if (value === '-') return readInput();
  return value.startsWith('@') ? readFileSync(value.slice(1), 'utf8') : value;
}

/** Files go on as they are; on a terminal nothing steers it. */
async function writeAnswer(answer: Response, { write, isTerminal }: Surroundings): Promise<void> {
  if (answer.headers.get('content-type')?.startsWith('application/json')) {
    const text = toPlainJson(await answer.text());
    write(text.endsWith('\n') ? text : `${text}\n`);
  } else if (isTerminal) {
    write(toPlainLines(await answer.text()));
  } else {
    for await (const chunk of answer.body ?? []) write(chunk);
  }
}

const calls = () =>
  Object.values(routes).map((route) => {
    const { method, path, summary } = route;
    return { method, path, summary, scope: scopeOfCall(route) ?? null };
  });

function listCalls(): string {
  const lines = calls().map(
    ({ method, path, summary, scope }) =>
      `${method.padEnd(7)}${path}  ${summary} (${scope === null ? 'no token' : `token: ${scope}`})\n`,
  );
  return lines.join('');
}

export const api: Command = {
  name: 'api',
  usage: 'METHOD PATH [--data JSON]',
  summary: 'Make any call of the API',
  description: [
    'PATH may leave out `/api/v1/`. The answer is written as it comes; a refusal goes to the standard error, with the exit code of its kind.',
    '`pult api --list` lists all calls, with what a token needs for each.',
  ],
  examples: [
    'pult api GET organizations/',
    `pult api PATCH controllers/A1B2C3D4/ --data '{"description":"Boiler"}'`,
  ],
  options: [
    {
      name: 'data',
      short: 'd',
      value: 'JSON',
      text: 'The body; `@FILE` reads a file, `-` the standard input',
    },
    { name: 'list', text: 'List the calls; in JSON with `--json`' },
    jsonAnyhowOption,
  ],
  words: [0, 2],
  async run({ positionals: [method = '', path = ''], values, switches }, context) {
    if (switches.has('list')) {
      context.write(switches.has('json') ? formatJson(calls()) : listCalls());
      return undefined;
    }
    const verb = method.toUpperCase();
    if (!methods.includes(verb) || path === '') {
      throw new CliError('usage', `Usage: pult api ${methods.join('|')} PATH [--data JSON]`);
    }
    const target = readPath(path);
    const body = values.data === undefined ? undefined : await readData(values.data, context);
    const answer = await context.server().request(verb, target, body);
    if (!answer.ok) throw await refusalOf(answer);
    if (answer.status !== 204) await writeAnswer(answer, context);
    return undefined;
  },
};
