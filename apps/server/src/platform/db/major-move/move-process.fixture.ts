// A server's start as far as its database, in a process that is killed: by the tests, or by itself when its log says the words.

import { startEmbeddedPostgres } from '@pult/embedded-postgres';
import { createLog } from '../../log.ts';
import { moveFormerDatabase } from './index.ts';

const [dataDir = '', password = '', diesAt = ''] = process.argv.slice(2);
const log = Object.assign(createLog('silent'), {
  info(...said: unknown[]) {
    if (diesAt !== '' && String(said.at(-1)).startsWith(diesAt)) process.kill(process.pid, 'SIGKILL');
  },
});

process.send?.('started');
await moveFormerDatabase({ dataDir, password, log });
process.send?.('moved');
await startEmbeddedPostgres({ dataDir, password, log });
process.send?.('ready');
