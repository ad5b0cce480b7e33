import { fileURLToPath } from 'node:url';
import {
  freePort,
  openSshOptions,
  poll,
  type ResourceStack,
  RunningProcess,
  repositoryPath,
  startAgentProcess,
  startNginx,
  startSshServer,
} from '@pult/testkit';
import { assemble, claim, openDoor, startBenchSite } from '../site.ts';
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

export function startTunnelSite(line: Line = { delayMs: 0, lossShare: 0 }): Promise<TunnelSite> {
  const { delayMs, lossShare } = line;
  return assemble(async (stack) => {
    const sourcePort = await startListening(stack, sourceProgram);
    const doorTo = (port: number): Door => ({ port, headers: { host: 'source' } });
    const relayPort = await startListening(stack, relayProgram, sourcePort);
    const nodeProxyPort = await startListening(stack, httpRelayProgram, sourcePort);
    const peers = {
      direct: doorTo(sourcePort),
      sshReverse: doorTo(await startSshReverse(stack, sourcePort, line)),
      relay: doorTo(relayPort),
      twoRelays: doorTo(await startListening(stack, relayProgram, relayPort)),
      nginx: doorTo(await startNginxDoor(stack, sourcePort)),
      nodeProxy: doorTo(nodeProxyPort),
      twoNodeProxies: doorTo(await startListening(stack, httpRelayProgram, nodeProxyPort)),
    };
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
    const processes = { server: server.process, agent: agent.process };
    return { ...peers, tunnel: await openTunnel(), processes, openTunnel };
  });
}
