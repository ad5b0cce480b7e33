// A server's start as far as its database, in a process that the tests kill.
import { createLog } from '../../log.ts';
import { startEmbeddedPostgres } from '../embedded/index.ts';
import { moveFormerDatabase } from './index.ts';

const [dataDir = '', password = ''] = process.argv.slice(2);
const log = createLog('silent');

process.send?.('started');
await moveFormerDatabase({ dataDir, password, log });
process.send?.('moved');
await startEmbeddedPostgres({ dataDir, password, log });
process.send?.('ready');
