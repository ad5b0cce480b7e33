import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '../cli-error.ts';
import type { Command } from '../command.ts';
import { describeRefusal, failureOf } from '../server.ts';

const pauseMs = 2000;

export const diagnostics: Command = {
  name: 'diag',
  usage: 'SERIAL [--output FILE] [--timeout SECONDS]',
  summary: 'Collect the diagnostics of a controller and save the archive',
  description: ['Waits until the archive is there. A token needs `diagnostics.request` and `controllers.read`.'],
  options: [
    { name: 'output', short: 'o', value: 'FILE', text: 'Where to; otherwise `SERIAL-diagnostics.tar.gz` here' },
    { name: 'timeout', value: 'SECONDS', text: 'How long to wait; otherwise 600' },
  ],
  async run({ positionals: [serialNumber = ''], values }, { server, note }) {
    const api = server();
    const seconds = Number(values.timeout ?? 600);
    if (!(seconds > 0)) throw new CliError('usage', '--timeout takes seconds.');
    const { id } = await api.call('requestDiagnostic', { params: { serialNumber } });
    for (let waited = 0; ; waited += pauseMs) {
      const all = await api.call('listDiagnostics', { params: { serialNumber } });
      const found = all.find((each) => each.id === id);
      if (found?.status === 'ready') break;
      if (!found || found.status === 'failed') {
        throw new CliError('failed', `The diagnostics failed: ${found?.detail ?? found?.reason ?? 'they are gone'}`);
      }
      if (waited >= seconds * 1000) {
        throw new CliError('failed', `No archive within ${seconds} s; it is collected all the same, see the console.`);
      }
      await sleep(pauseMs);
    }
    const answer = await api.request('GET', `/api/v1/download/${id}`);
    if (!answer.ok || !answer.body) {
      throw new CliError(failureOf(answer.status), describeRefusal(answer.status, await answer.text()));
    }
    const file = values.output ?? `${serialNumber.toUpperCase()}-diagnostics.tar.gz`;
    const part = `${file}.part`;
    try {
      // Node's own types of the two kinds of stream differ.
      const body = Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]);
      await pipeline(body, createWriteStream(part, { flags: 'wx', mode: 0o600 }));
      await rename(part, file);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
    note(`Saved ${file}\n`);
    return undefined;
  },
};
