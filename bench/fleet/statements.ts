import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ConnectionSettings,
  connectDatabase,
  createControllersRepository,
  createLog,
  createScope,
} from '@pult/server/testing';
import { makeTempDir, runCommand } from '@pult/testkit';

const processPath: Record<string, string> = { PATH: process.env.PATH ?? '' };

interface Statement {
  text: string;
  values: unknown[];
}

/** The very statements that the first page of the list runs. */
export async function captureListStatements(
  settings: ConnectionSettings,
  userId: string,
  organizationId: string,
): Promise<Statement[]> {
  const { db, pool, close } = connectDatabase(settings, createLog('silent'), 1);
  const statements: Statement[] = [];
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const capture = (...args: unknown[]) => {
      const [text, values] = args;
      if (typeof text === 'string' && Array.isArray(values)) statements.push({ text, values });
      return query(...args);
    };
    // One of pg's many ways to call it: the one that the repository takes.
    client.query = capture as typeof client.query;
  });
  const repository = createControllersRepository(db);
  const scope = createScope({ userId, mayEnterTotpOrganizations: true }, 'controllers.read');
  const filters = { organization_id: organizationId };
  await repository.listControllers(scope, filters, { limit: 25, offset: 0, orderBy: [] });
  await repository.countControllers(scope, filters);
  await close();
  return statements;
}

function toLiteral(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return `array[${value.map(toLiteral).join(',')}]`;
  return `'${String(value).replaceAll("'", "''")}'`;
}

const inline = ({ text, values }: Statement) =>
  text.replace(/\$(\d+)/g, (_, number: string) => toLiteral(values[Number(number) - 1])).replace(/\s+/g, ' ');

/** The same statements by pgbench, all of them together so many times a second; undefined where there is none. */
export async function measureBareRate(
  statements: readonly Statement[],
  settings: ConnectionSettings,
  { parallel, seconds }: { parallel: number; seconds: number },
) {
  await using folder = await makeTempDir('bench-list');
  const script = join(folder.path, 'list.sql');
  await writeFile(script, statements.map((statement) => `${inline(statement)};\n`).join(''));
  const target =
    'url' in settings
      ? { args: [settings.url], env: processPath }
      : {
          args: ['-h', settings.host, '-p', String(settings.port), '-U', settings.user, settings.database],
          env: { ...processPath, PGPASSWORD: settings.password },
        };
  const load = ['-n', '-c', String(parallel), '-j', '2', '-T', String(seconds), '-f', script];
  const { stdout } = await runCommand('pgbench', [...load, ...target.args], { env: target.env });
  const tps = /tps = ([\d.]+)/.exec(stdout)?.[1];
  const version = (await runCommand('pgbench', ['--version'])).stdout.trim();
  return tps === undefined ? undefined : { name: version, rate: Number(tps) };
}
