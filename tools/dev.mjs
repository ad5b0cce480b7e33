/** Work on the product: server rebuilt and restarted on change, console with hot reload, one agent. `npm run dev`. */

import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { formatLogLine } from './log-lines.mjs';
import { watchNpm } from './parent.mjs';
import { root, stopChildrenOnSignals } from './processes.mjs';
import { Service } from './service.mjs';
import { isReady, readSettings, requireFreePort } from './settings.mjs';
import { bold, cyan, print, runStep, runTool } from './terminal.mjs';

const consolePort = 5173;
const show = (name) => (line) => print(formatLogLine(name, line));

let server;
let consoleServer;
let agent;
let watcher;
let isStopping = false;

/** Pages come from Vite, which hands calls on to the server; tunnels and agents go to the server itself. */
function createEnvironment({ port }) {
  return {
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${consolePort}`,
    TUNNEL_DOMAIN: `localhost:${port}`,
    AGENT_URLS: `http://localhost:${port}`,
    PULT_SERVER_URL: `http://127.0.0.1:${port}`,
  };
}

async function watchServer(env) {
  const esbuild = await import('esbuild');
  const { serverBuild } = await import(pathToFileURL(join(root, 'apps/server/build.mjs')).href);
  const restart = {
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
}

await runTool(async () => {
  const forget = stopChildrenOnSignals();
  await ensureInstalled();
  await ensureBuilt();
  forget();
  const settings = { ...readSettings(), scheme: 'http', publicUrl: `http://localhost:${consolePort}` };
  await requireFreePort(settings);
  await requireFreePort({ host: 'localhost', port: consolePort });
  const stop = () => {
    if (!isStopping) void stopAll().then(() => process.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  watchNpm(stop);
  const env = createEnvironment(settings);
  await runStep('server', async () => {
    await watchServer(env);
    while (!isStopping && !(await isReady(settings))) await wait(200);
  });
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
});
