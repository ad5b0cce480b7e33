import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '../cli-error.ts';
import { type Command, jsonOption } from '../command.ts';
import { formatJson } from '../plain-text.ts';
import { readSerialNumber } from '../serial-number.ts';
import { refusalOf, type Server } from '../server.ts';

const pauseMs = 2000;

async function collect({ call }: Server, serialNumber: string, seconds: number): Promise<string> {
  const params = { serialNumber };
  const { id } = await call('requestDiagnostic', { params });
  for (const end = performance.now() + seconds * 1000; ; await sleep(pauseMs)) {
    const found = (await call('listDiagnostics', { params })).find((each) => each.id === id);
    if (found?.status === 'ready') return found.id;
    if (!found || found.status === 'failed') {
      throw new CliError(
        'failed',
        `The diagnostics failed: ${found?.detail ?? found?.reason ?? 'they are gone'}`,
      );
    }
    if (performance.now() > end) {
      throw new CliError(
        'failed',
        `No archive within ${seconds} s; it is collected all the same, see the console.`,
      );
    }
  }
}

/** Whole or not at all. */
async function save({ body }: Response, file: string): Promise<void> {
  const part = `${file}.part`;
  await rm(part, { force: true });
  try {
    // Node's own types of the two kinds of stream differ.
    const bytes = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
    await pipeline(bytes, createWriteStream(part, { flags: 'wx', mode: 0o600 }));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

export const diagnostics: Command = {
  name: 'diag',
  usage: 'SERIAL [--output FILE] [--timeout SECONDS]',
  summary: 'Collect the diagnostics of a controller and save the archive',
  description: [
    'Waits until the archive is there. A token needs `diagnostics.request` and `controllers.read`.',
  ],
  options: [
    {
      name: 'output',
      short: 'o',
      value: 'FILE',
      text: 'Where to; otherwise `SERIAL-diagnostics.tar.gz` here',
    },
    { name: 'timeout', value: 'SECONDS', text: 'How long to wait; otherwise 600' },
    jsonOption,
  ],
  words: [1, 1],
  async run({ positionals: [serial], values, switches }, { server, note, write }) {
    const serialNumber = readSerialNumber(serial);
    const seconds = Number(values.timeout ?? 600);
    if (!(seconds > 0)) throw new CliError('usage', '--timeout takes seconds.');
    const api = server();
    const id = await collect(api, serialNumber, seconds);
    const answer = await api.request('GET', `/api/v1/download/${id}`);
    if (!answer.ok || !answer.body) throw await refusalOf(answer);
    const file = values.output ?? `${serialNumber}-diagnostics.tar.gz`;
    await save(answer, file);
    if (switches.has('json')) write(formatJson({ id, file }));
    else note(`Saved ${file}\n`);
    return undefined;
  },
};
