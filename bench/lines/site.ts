import { fileURLToPath } from 'node:url';
import { makeTempDir, openSshOptions, RunningProcess, repositoryPath, type SshServer } from '@pult/testkit';
import { assemble } from '../site.ts';
import { askDevice, type Target } from './bulk.ts';
import type { LineEmulator } from './emulator-protocol.ts';

/** A way to the device behind the line. */
export interface Peer {
  name: string;
  web(): Promise<Target>;
  /** Arguments that lead an ssh client to the device's sshd. */
  ssh(): Promise<string[]>;
}

/** A line with a device at its far end. */
export interface LineSite extends LineEmulator {
  device: { web: number; ssh: Pick<SshServer, 'port' | 'user' | 'folder' | 'clientKey' | 'hostKey'> };
  /** Bytes of uploads that the device has taken. */
  countUploaded(): Promise<number>;
}

export function startLineSite(emulator: LineEmulator): Promise<LineSite> {
  return assemble(async (stack) => {
    stack.use(emulator);
    const folder = stack.use(await makeTempDir('lines'));
    const socketPath = `${folder.path}/device`;
    const program = fileURLToPath(new URL('./device.ts', import.meta.url));
    const [command, args] = emulator.onDevice(process.execPath, ['--import', 'tsx', program, socketPath]);
    const running = stack.use(
      new RunningProcess({ name: 'device', command, args, cwd: repositoryPath('.') }),
    );
    const [, text = ''] = await running.waitForLine(/^device (.*)$/);
    const { reach, onDevice, tell } = emulator;
    // Written by device.ts.
    const device = JSON.parse(text) as LineSite['device'];
    return { reach, onDevice, tell, device, countUploaded: () => askDevice(socketPath) };
  });
}

/** The user's own connections over the line, to the device's ports. */
export async function startDirect({ device, reach }: LineSite): Promise<Peer> {
  const options = await openSshOptions(device.ssh);
  // A rebinding gives it another address, as dynamic DNS would tell.
  const web = () => reach('device', device.web);
  const ssh = () => reach('device', device.ssh.port);
  return {
    name: 'direct',
    web: async () => ({ ...(await web()), headers: { host: 'device' } }),
    async ssh() {
      const { host, port } = await ssh();
      return [...options, '-p', String(port), `${device.ssh.user}@${host}`];
    },
  };
}
