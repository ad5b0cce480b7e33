import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfig } from './config/config.ts';
import { ConfigError, readEnvironment } from './config/env.ts';
import { createLog } from './platform/log.ts';
import { runServer } from './run-server.ts';
import { version } from './version.ts';

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A start that cannot succeed ends with plain words and status 1. */
function giveUp(error: unknown): never {
  const problems =
    error instanceof ConfigError ? error.problems : [error instanceof Error ? error.message : String(error)];
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exit(1);
}

async function main(): Promise<void> {
  const environment = readEnvironment({ env: process.env, directory: process.cwd() });
  const config = loadConfig(environment, { version });
  const log = createLog(config.app.logLevel);
  const built = join(fileURLToPath(import.meta.url), '../../../console/dist');
  const consoleDirectory = existsSync(join(built, 'index.html')) ? built : undefined;
  if (!consoleDirectory) log.warn('the console is not built: only the API is served');

  let stopping = false;
  const server = await runServer({ config, log, consoleDirectory, print });
  const stop = (status: number) => {
    // A second signal does not wait.
    if (stopping) process.exit(1);
    stopping = true;
    server.stop().then(
      () => process.exit(status),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(0));
  void server.failed.then((error) => {
    log.fatal({ error: error.message }, 'the database is gone for good');
    stop(1);
  });
}

main().catch(giveUp);
