// A server process of its own for the tests: starts the database, tells where it is, and stops it on SIGTERM.
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from './index.ts';

const log: EmbeddedPostgresOptions['log'] = {
  info: (...args: unknown[]) => process.stderr.write(`${JSON.stringify(args)}\n`),
  warn: (...args: unknown[]) => process.stderr.write(`${JSON.stringify(args)}\n`),
  error: (...args: unknown[]) => process.stderr.write(`${JSON.stringify(args)}\n`),
};

const [dataDir = '', password = '', systemFolder] = process.argv.slice(2);

async function main(): Promise<void> {
  const database = await startEmbeddedPostgres({
    dataDir,
    password,
    log,
    ...(systemFolder ? { systemFolder } : {}),
  });
  process.once('SIGTERM', () => void database.stop());
  process.stdout.write(`${JSON.stringify(database.connection)}\n`);
  await database.exited;
}

main().catch((error: Error) => {
  process.stderr.write(`${error.name}: ${error.message}\n`);
  process.exitCode = 1;
});
