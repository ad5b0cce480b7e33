// A process of its own for kills.fixture.ts: makes a backup when told where, and says how far it is.
import { beginBaseBackup, type Connection } from '@pult/embedded-postgres';
import { createBackup } from './create/create-backup.ts';
import { lockBackups } from './lock.ts';

export interface BackupOrder {
  connection: Connection;
  cluster: string;
  dataDir: string;
  file: string;
}

async function back({ connection, cluster, dataDir, file }: BackupOrder): Promise<void> {
  await lockBackups(dataDir);
  const source = {
    dataDir,
    version: '1.2.3',
    listArchives: undefined,
    beginDatabase: (signal: AbortSignal) => beginBaseBackup({ connection, cluster, signal }),
  };
  const onProgress = ({ readBytes, expectedBytes }: { readBytes: number; expectedBytes: number }) =>
    process.send?.(readBytes / expectedBytes);
  await createBackup(source, { file, recipients: [], signal: new AbortController().signal, onProgress });
  process.send?.('done');
}

process.on('message', (order: BackupOrder) => void back(order));
process.on('disconnect', () => process.exit());
process.send?.('ready');
