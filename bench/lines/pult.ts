import { setTimeout as wait } from 'node:timers/promises';
import {
  builtPath,
  freePort,
  makeSshKey,
  makeTempDir,
  makeTestCertificate,
  RunningProcess,
} from '@pult/testkit';
import { createJumpClient } from '../../tests/interop/jump-client.ts';
import { assemble, claim, openDoor, startBenchSite } from '../site.ts';
import { relayProgram, startListening } from '../tunnel/site.ts';
import { cloudAddress } from './emulator-protocol.ts';
import type { LineSite, Peer } from './site.ts';

const serialNumber = 'LINE1';

export interface PultPeer extends Peer, AsyncDisposable {
  /** How long from the first packet until it is linked, in milliseconds: of a device that the server has never seen. */
  firstStart: number;
  /** Starts the agent anew; the same of it. */
  restartAgent(): Promise<number>;
  /** Gives the device another address; how long until the agent dials anew, and from there until it is linked. */
  reconnect(): Promise<{ noticedMs: number; linkedMs: number }>;
  /** The controller is nobody's any more, and measures nothing. */
  release(): Promise<void>;
}

/** The built server on the near side with the user beside it, the built agent behind the line, which reaches it in TLS where told. */
export function startPult(site: LineSite, isSecure = false): Promise<PultPeer> {
  return assemble(async (stack) => {
    const [port, jumpPort] = [await freePort(), await freePort()];
    // TLS before the server, as a reverse proxy has it: what the device sees of both is the same.
    const folder = stack.use(await makeTempDir('tls'));
    const front = isSecure
      ? {
          ...(await makeTestCertificate(folder.path, [cloudAddress, '127.0.0.1'])),
          port: await startListening(stack, relayProgram, port, 'far', folder.path),
        }
      : undefined;
    const reached = await site.reach('cloud', front?.port ?? port);
    const serverUrl = `${front ? 'https' : 'http'}://${reached.host}:${reached.port}`;
    const env = {
      HOST: '0.0.0.0',
      AGENT_URLS: serverUrl,
      SSH_JUMP_PORT: String(jumpPort),
    };
    const { server, organizationId, logIn } = stack.use(await startBenchSite({ port, env }));
    const state = stack.use(await makeTempDir('agent'));
    const { device } = site;
    const [command, args] = site.onDevice(process.execPath, [
      ...[builtPath('apps/agent/dist/pult-agent.mjs'), 'run', '--server', serverUrl],
      ...['--serial', serialNumber, '--state-dir', `${state.path}/state`, '--mqtt', 'off'],
      ...['--http', `127.0.0.1:${device.web}`, '--ssh', `127.0.0.1:${device.ssh.port}`],
      ...(front ? ['--ca', front.caPath] : []),
    ]);
    await site.tell('mark');
    const launch = () => new RunningProcess({ name: 'agent', command, args, cwd: state.path });
    let agent = launch();
    stack.use({ [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose]() });
    /** Since the mark, from the first packet of its first connection. */
    const whenLinked = async (since = 0) => {
      await agent.waitForLine(/link: connected/, { since, timeoutMs: 180_000 });
      const linkedAt = Date.now();
      const { firstSynAt } = await site.tell('count');
      return { linkedMs: linkedAt - (firstSynAt ?? Number.NaN), firstSynAt };
    };

    const { linkedMs: firstStart } = await whenLinked();
    const activation = /activation link: \S+[?&]token=([^&\s]+)/;
    const [, token = ''] = await agent.waitForLine(activation);
    const api = await logIn();
    await claim(api, { token, organization: organizationId, serialNumber });

    const keys = stack.use(await makeTempDir('keys'));
    const key = await makeSshKey(`${keys.path}/account`);
    await api.call('addSshKey', { body: { name: 'Lines', publicKey: key.publicKey } });
    const jump = stack.use(await createJumpClient(device, { port: jumpPort, email: server.adminEmail, key }));
    const web = { host: '127.0.0.1', ...(await openDoor(api, serialNumber, server.port)) };
    return {
      name: 'Pult',
      firstStart,
      web: async () => web,
      ssh: async () => [...jump.options, `${device.ssh.user}@${serialNumber}`],
      async restartAgent() {
        await agent.stop();
        await wait(2_000);
        await site.tell('mark');
        agent = launch();
        return (await whenLinked()).linkedMs;
      },
      async reconnect() {
        const since = agent.nextLine;
        await site.tell('mark');
        await site.tell('rebind');
        const reboundAt = Date.now();
        const { linkedMs, firstSynAt } = await whenLinked(since);
        return { noticedMs: (firstSynAt ?? Number.NaN) - reboundAt, linkedMs };
      },
      async release() {
        await api.call('deleteController', { params: { serialNumber } });
      },
    };
  });
}
