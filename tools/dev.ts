/** Work on the product: server rebuilt and restarted on change, console with hot reload, one agent. `npm run dev`. */

import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as esbuild from 'esbuild';
import { serverBuild } from '../apps/server/build.mjs';
import { ensureBuilt } from './build.mjs';
import { formatLogLine } from './log-lines.mjs';
import { Service } from './service.mjs';
import { isReady, readSettings, requireFreePort } from './settings.mjs';
import { stopOnSignals } from './signals.mjs';
import { bold, cyan, print, runStep } from './terminal.mjs';

const consolePort = 5173;
const show = (name: string) => (line: string) => print(formatLogLine(name, line));

let server: Service | undefined;
let consoleServer: Service | undefined;
let agent: Service | undefined;
let watcher: esbuild.BuildContext | undefined;
let isStopping = false;

/** Pages come from Vite, which hands calls on to the server; tunnels and agents go to the server itself. */
function createEnvironment(port: number) {
  return {
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${consolePort}`,
    TUNNEL_DOMAIN: `localhost:${port}`,
    AGENT_URLS: `http://localhost:${port}`,
    PULT_SERVER_URL: `http://127.0.0.1:${port}`,
  };
}

async function watchServer(env: NodeJS.ProcessEnv) {
  const restart: esbuild.Plugin = {
    name: 'restart',
    setup(build) {
      build.onEnd(async ({ errors }) => {
        if (errors.length > 0 || isStopping) return;
        await server?.stop(5000);
        if (!isStopping)
          server = new Service('server', ['apps/server/dist/main.js'], { env, onLine: show('server') });
      });
    },
  };
  watcher = await esbuild.context({ ...serverBuild, plugins: [restart] });
  await watcher.watch();
}

async function stopAll() {
  isStopping = true;
  await Promise.all([watcher?.dispose(), agent?.stop(5000), consoleServer?.stop(2000)]);
  await server?.stop(25_000);
  return true;
}

function kill() {
  for (const service of [agent, consoleServer, server]) service?.kill();
}

export async function main(): Promise<void> {
  await ensureBuilt();
  const settings = { ...readSettings(), scheme: 'http', publicUrl: `http://localhost:${consolePort}` };
  await requireFreePort(settings, 'npm run dev');
  await requireFreePort({ host: 'localhost', port: consolePort });
  stopOnSignals(stopAll, kill);
  const env = createEnvironment(settings.port);
  await runStep('server', async () => {
    await watchServer(env);
    while (!isStopping && !(await isReady(settings))) await wait(200);
  });
  if (isStopping) return;
  const vite = [
    'node_modules/vite/bin/vite.js',
    'apps/console',
    '--port',
    String(consolePort),
    '--strictPort',
  ];
  consoleServer = new Service('console', vite, { env, onLine: show('console') });
  const stateDir = join(settings.dataDir, 'agent');
  agent = new Service(
    'agent',
    ['apps/agent/dist/pult-agent.mjs', 'run', '--server', env.AGENT_URLS, '--state-dir', stateDir],
    { onLine: show('agent') },
  );
  print(`\n  ${bold(cyan(env.PUBLIC_URL))}\n`);
}
