import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer, type TestServer } from '@pult/testkit/in-process';
import { sql } from 'kysely';
import { inject, vi } from 'vitest';
import { loadSecrets } from '../config/secrets.ts';
import { createLog } from '../platform/log.ts';

/** A server whose database and data folder are those that `npm run pult` finds. */
export interface CommandFixture {
  server: TestServer;
  /** Before each test: the environment of the command line, and nothing printed yet. */
  begin(): Promise<void>;
  /** What the commands have printed. */
  printed(): string;
  close(): Promise<void>;
}

export async function createCommandFixture(): Promise<CommandFixture> {
  const server = await createTestServer();
  const dataDir = await mkdtemp(join(tmpdir(), 'pult-command-'));
  const encryptionKey = server.secrets.encryptionKey.toString('base64url');
  await writeFile(join(dataDir, 'secrets.json'), JSON.stringify({ encryptionKey }), { mode: 0o600 });
  // The rest of them.
  await loadSecrets(dataDir, createLog('silent'));
  let printed = '';
  return {
    server,
    async begin() {
      const { host, port, user, password } = inject('databaseServer');
      const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(server.db);
      const url = new URL('postgresql://localhost');
      url.username = user;
      url.password = password;
      url.pathname = rows[0]?.name ?? '';
      url.search = new URLSearchParams({ host, port: String(port) }).toString();
      vi.stubEnv('DATABASE_URL', url.href);
      vi.stubEnv('DATA_DIR', dataDir);
      printed = '';
      vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
        printed += text;
        return true;
      });
    },
    printed: () => printed,
    async close() {
      await server.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
