import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SshServer } from './ssh-server.ts';

/**
 * Options for stock `ssh`, `scp` and `sftp` that reach an SSH server with its authorized key and accept only its host
 * key, and nothing from the settings of the person who runs the tests.
 */
export async function openSshOptions(
  server: Pick<SshServer, 'folder' | 'hostKey' | 'clientKey'>,
  proxyCommand?: string,
): Promise<string[]> {
  const knownHosts = join(server.folder, 'known-hosts');
  await writeFile(knownHosts, `device ${server.hostKey.publicKey}\n`);
  const settings = {
    IdentitiesOnly: 'yes',
    IdentityAgent: 'none',
    BatchMode: 'yes',
    StrictHostKeyChecking: 'yes',
    HostKeyAlias: 'device',
    UserKnownHostsFile: knownHosts,
    GlobalKnownHostsFile: '/dev/null',
    ConnectTimeout: '20',
    ...(proxyCommand === undefined ? {} : { ProxyCommand: proxyCommand }),
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  return ['-F', 'none', '-i', server.clientKey.path, ...options];
}
