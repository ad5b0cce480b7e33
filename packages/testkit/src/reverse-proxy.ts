import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { poll } from './poll.ts';
import { RunningProcess } from './running-process.ts';
import { makeTempDir } from './temp-dir.ts';

/** Debian keeps both out of the PATH of ordinary users. */
function findProgram(name: string): string {
  const path = [`/usr/sbin/${name}`, `/usr/local/sbin/${name}`, `/usr/bin/${name}`].find(existsSync);
  if (!path) throw new Error(`${name} is missing: install it (apt-get install ${name})`);
  return path;
}

async function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

async function launch(
  name: string,
  args: (path: (file: string) => string) => readonly string[],
  files: Readonly<Record<string, string>>,
  port: number,
): Promise<AsyncDisposable> {
  const folder = await makeTempDir(name);
  const path = (file: string) => join(folder.path, file);
  await mkdir(path('tmp'));
  for (const [file, text] of Object.entries(files))
    await writeFile(path(file), text.replaceAll('@FOLDER@', folder.path));
  const running = new RunningProcess({
    name,
    command: findProgram(name),
    args: args(path),
    cwd: folder.path,
  });
  const stop = async () => {
    try {
      await running.kill();
    } finally {
      await folder.remove();
    }
  };
  try {
    const isReady = () => {
      if (!running.isRunning) throw new Error(running.tail());
      return accepts(port);
    };
    await poll(isReady, { what: `${name} listens` });
  } catch (error) {
    await stop();
    throw error;
  }
  return { [Symbol.asyncDispose]: stop };
}

/** A real nginx with `config` inside its `http` block. Ready when it accepts at `port`. */
export function startNginx(config: string, port: number): Promise<AsyncDisposable> {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const main = [
    'daemon off;',
    // One process, which goes when it is told to.
    'master_process off;',
    'error_log stderr warn;',
    'pid @FOLDER@/nginx.pid;',
    'events {}',
    'http {',
    'access_log off;',
    ...kinds.map((kind) => `${kind}_temp_path @FOLDER@/tmp/${kind};`),
    'include @FOLDER@/site.conf;',
    '}',
  ];
  const files = { 'nginx.conf': main.join('\n'), 'site.conf': config };
  return launch('nginx', (path) => ['-p', path(''), '-e', 'stderr', '-c', path('nginx.conf')], files, port);
}

/** A real HAProxy with that configuration. Ready when it accepts at `port`. */
export function startHaproxy(config: string, port: number): Promise<AsyncDisposable> {
  return launch('haproxy', (path) => ['-db', '-f', path('haproxy.cfg')], { 'haproxy.cfg': config }, port);
}
