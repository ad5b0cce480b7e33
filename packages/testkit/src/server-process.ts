import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testCertificate, testPrivateKey } from './certificates.ts';
import { freePort } from './free-port.ts';
import { HttpClient } from './http-client.ts';
import { poll } from './poll.ts';
import { builtPath } from './repository.ts';
import { type CommandResult, runCommand } from './run-command.ts';
import { type ProcessExit, RunningProcess } from './running-process.ts';
import { makeTempDir } from './temp-dir.ts';
import type { TestCertificate } from './test-certificate.ts';

export interface ServerProcessOptions {
  port?: number;
  /** Made and removed by the caller; a folder of its own unless told. */
  dataDir?: string;
  /** By which it is reached; `localhost` unless told. */
  host?: 'localhost' | '127.0.0.1';
  /** TLS by the server itself, with the test certificate. */
  isSecure?: boolean;
  /** The same with this one, such as one for tunnel hosts. */
  certificate?: TestCertificate;
  adminEmail?: string;
  adminPassword?: string;
  /** What runs the server, such as `nsenter` with its arguments; by itself unless told. */
  launcher?: readonly string[];
  /** Longer than a minute where its start has much to do. */
  readyWithinMs?: number;
  /** Further environment variables of the server. */
  env?: Readonly<Record<string, string>>;
  /** The command `pult` of a packed Pult, in place of what was built here. */
  pult?: readonly string[];
  /** The `main.js` of another build than that of this repository. */
  main?: string | undefined;
}

/** The built server as its own process, with a data folder of its own that outlives restarts. */
export interface ServerProcess extends AsyncDisposable {
  readonly port: number;
  /** PUBLIC_URL, without a slash at the end. */
  readonly url: string;
  readonly adminEmail: string;
  readonly adminPassword: string;
  readonly dataDir: string;
  /** The current process; another one after `start()`. */
  readonly process: RunningProcess;
  /** Ends the process as a service manager does; the data stays for `start()`. */
  halt(): Promise<ProcessExit>;
  kill(): Promise<ProcessExit>;
  /** By the `main.js` of another build from now on, where one is told. */
  start(main?: string): Promise<void>;
  /** `npm run pult -- <args>` on this server's data. */
  runPult(...args: string[]): Promise<CommandResult>;
  /** Ends the process and removes its data. */
  stop(): Promise<void>;
}

async function isReady(url: string, ca: string): Promise<boolean> {
  try {
    const client = new HttpClient({ ca });
    const answer = await client.request(`${url}/readyz`, { signal: AbortSignal.timeout(2000) });
    await answer.text();
    return answer.status === 200;
  } catch {
    return false; // not listening yet
  }
}

async function writeCertificate(folder: string): Promise<{ TLS_CERT: string; TLS_KEY: string }> {
  const files = { TLS_CERT: join(folder, 'cert.pem'), TLS_KEY: join(folder, 'key.pem') };
  await writeFile(files.TLS_CERT, testCertificate);
  await writeFile(files.TLS_KEY, testPrivateKey, { mode: 0o600 });
  return files;
}

export async function startServerProcess(options: ServerProcessOptions = {}): Promise<ServerProcess> {
  const { launcher = [], pult = [process.execPath, builtPath('apps/server/dist/pult.js')] } = options;
  const byMain = (main: string) => [process.execPath, main];
  let server = options.pult
    ? [...options.pult, 'start']
    : byMain(options.main ?? builtPath('apps/server/dist/main.js'));
  const folder = await makeTempDir('server');
  const dataDir = options.dataDir ?? join(folder.path, 'data');
  const port = options.port ?? (await freePort());
  const { certificate } = options;
  const isSecure = options.isSecure === true || certificate !== undefined;
  const url = `${isSecure ? 'https' : 'http'}://${options.host ?? 'localhost'}:${port}`;
  const adminEmail = options.adminEmail ?? 'admin@pult.example';
  const adminPassword = options.adminPassword ?? 'correct horse battery';

  const env = {
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: dataDir,
    ADMIN_EMAIL: adminEmail,
    ADMIN_PASSWORD: adminPassword,
    SSH_JUMP_PORT: '0',
    LOG_LEVEL: 'info',
    APP_ENV: 'test',
    ...(certificate ? { TLS_CERT: certificate.certPath, TLS_KEY: certificate.keyPath } : {}),
    ...(options.isSecure ? await writeCertificate(folder.path) : {}),
    ...options.env,
  };

  const launch = async () => {
    const [command = '', ...args] = [...launcher, ...server];
    const running = new RunningProcess({
      name: 'server',
      command,
      args,
      // No .env of the developer's working folder.
      cwd: folder.path,
      env,
    });
    const isUp = async () => {
      if (!running.isRunning) throw new Error('the server ended while starting');
      return isReady(url, certificate?.ca ?? testCertificate);
    };
    try {
      await poll(isUp, { what: 'the server is ready', timeoutMs: options.readyWithinMs ?? 60_000 });
    } catch (error) {
      await running.kill();
      throw new Error(`${error instanceof Error ? error.message : error}\n${running.tail()}`);
    }
    return running;
  };

  let running = await launch();
  const stop = async () => {
    try {
      await running.stop();
    } finally {
      await folder.remove();
    }
  };
  return {
    port,
    url,
    adminEmail,
    adminPassword,
    dataDir,
    get process() {
      return running;
    },
    // As long as service managers give it.
    halt: () => running.stop(60_000),
    kill: () => running.kill(),
    async start(main) {
      if (main !== undefined) server = byMain(main);
      running = await launch();
    },
    runPult(...args) {
      const [command = '', ...rest] = [...launcher, ...pult, ...args];
      return runCommand(command, rest, { env });
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
