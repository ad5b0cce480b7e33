import { fileURLToPath } from 'node:url';
import {
  freePort,
  openSshOptions,
  poll,
  ResourceStack,
  RunningProcess,
  repositoryPath,
  startAgentProcess,
  startNginx,
  startSshServer,
} from '@pult/testkit';
import { claim, openDoor, startBenchSite } from '../site.ts';
import { type Door, measureDownload } from './download.ts';

const serialNumber = 'BENCH1';
export const sourceProgram = new URL('./source.ts', import.meta.url);
export const relayProgram = new URL('./relay.ts', import.meta.url);
const httpRelayProgram = new URL('./http-relay.ts', import.meta.url);
const delayProgram = new URL('./delay-proxy.ts', import.meta.url);

/** One source of bytes and the ways to it. */
export interface TunnelSite extends AsyncDisposable {
  direct: Door;
  tunnel: Door;
  sshReverse: Door;
  relay: Door;
  /** nginx as a reverse proxy of the source, with connections to it kept alive. */
  nginx: Door;
  /** The same by Node's own server and client. */
  nodeProxy: Door;
  /** Two of them in a row: as many processes as the tunnel has. */
  twoNodeProxies: Door;
  /** Two relays in a row: as many processes as the tunnel has. */
  twoRelays: Door;
  processes: { server: RunningProcess; agent: RunningProcess };
  openTunnel(): Promise<Door>;
}

/** Starts one of this folder's programs; answers the port it listens on. */
export async function startListening(
  stack: ResourceStack,
  file: URL,
  ...args: (number | string)[]
): Promise<number> {
  const program = stack.use(
    new RunningProcess({
      name: file.pathname,
      command: process.execPath,
      args: ['--import', 'tsx', fileURLToPath(file), ...args.map(String)],
      cwd: repositoryPath('.'),
    }),
  );
  return Number((await program.waitForLine(/listening on (\d+)/))[1]);
}

interface Line {
  /** How long each byte is on its way between device and server, in each direction. */
  delayMs: number;
  /** Share of segments that are lost on that way. */
  lossShare: number;
}

async function startNginxDoor(stack: ResourceStack, sourcePort: number): Promise<number> {
  const port = await freePort();
  const config = `
    upstream source { server 127.0.0.1:${sourcePort}; keepalive 64; }
    server {
      listen 127.0.0.1:${port};
      keepalive_requests 1000000;
      location / { proxy_pass http://source; proxy_http_version 1.1; proxy_set_header Connection ''; }
    }`;
  stack.use(await startNginx(config, port));
  return port;
}

/** `ssh -R` with stock settings: the device's ssh dials out, over the same line as the agent. */
async function startSshReverse(
  stack: ResourceStack,
  sourcePort: number,
  { delayMs, lossShare }: Line,
): Promise<number> {
  const sshd = stack.use(await startSshServer());
  const lineEnd =
    delayMs > 0
      ? await startListening(stack, delayProgram, sshd.port, delayMs, await freePort(), lossShare)
      : sshd.port;
  const port = await freePort();
  const ssh = stack.use(
    new RunningProcess({
      name: 'ssh -R',
      command: 'ssh',
      args: [
        ...(await openSshOptions(sshd)),
        ...['-N', '-o', 'ExitOnForwardFailure=yes', '-R', `${port}:127.0.0.1:${sourcePort}`],
        ...['-p', String(lineEnd), `${sshd.user}@127.0.0.1`],
      ],
    }),
  );
  const isOpen = async () => {
    if (!ssh.isRunning) throw new Error(`ssh -R ended\n${ssh.tail()}`);
    return measureDownload({ port, headers: { host: 'source' } }, 1).then(
      () => true,
      () => false,
    );
  };
  await poll(isOpen, { what: 'ssh -R forwards' });
  return port;
}

export async function startTunnelSite(line: Line = { delayMs: 0, lossShare: 0 }): Promise<TunnelSite> {
  const { delayMs, lossShare } = line;
  const stack = new ResourceStack();
  try {
    const sourcePort = await startListening(stack, sourceProgram);
    const source: Door = { port: sourcePort, headers: { host: 'source' } };
    const relayPort = await startListening(stack, relayProgram, sourcePort);
    const secondRelayPort = await startListening(stack, relayProgram, relayPort);
    const sshPort = await startSshReverse(stack, sourcePort, line);
    const nodeProxyPort = await startListening(stack, httpRelayProgram, sourcePort);
    const secondNodeProxyPort = await startListening(stack, httpRelayProgram, nodeProxyPort);
    const nginxPort = await startNginxDoor(stack, sourcePort);

    const lineEnd = await freePort();
    const lineUrl = `http://127.0.0.1:${lineEnd}`;
    const { server, organizationId, logIn } = stack.use(
      await startBenchSite({ env: { AGENT_URLS: lineUrl } }),
    );
    if (delayMs > 0) await startListening(stack, delayProgram, server.port, delayMs, lineEnd, lossShare);
    const agentUrl = delayMs > 0 ? lineUrl : server.url;
    const agent = stack.use(
      await startAgentProcess({ serverUrl: agentUrl, serialNumber, http: `127.0.0.1:${sourcePort}` }),
    );
    const api = await logIn();
    const { token } = await agent.waitForActivation();
    await claim(api, { token, organization: organizationId, serialNumber });
    const openTunnel = () => openDoor(api, serialNumber, server.port);
    return {
      direct: source,
      tunnel: await openTunnel(),
      sshReverse: { ...source, port: sshPort },
      relay: { ...source, port: relayPort },
      nginx: { ...source, port: nginxPort },
      nodeProxy: { ...source, port: nodeProxyPort },
      twoNodeProxies: { ...source, port: secondNodeProxyPort },
      twoRelays: { ...source, port: secondRelayPort },
      processes: { server: server.process, agent: agent.process },
      openTunnel,
      [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
    };
  } catch (error) {
    await stack[Symbol.asyncDispose]();
    throw error;
  }
}
