import type { Environments } from '@pult/contract';

type Jump = Pick<NonNullable<Environments['SSH_JUMP']>, 'host' | 'port'>;

/** For a shell: as it is where that is safe. */
function quote(word: string): string {
  return /^[\w.@%+:[\]-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** What `-J` and `ProxyJump` take: the last @ parts the account from the host. */
function formatJump({ host, port }: Jump, email: string): string {
  return quote(port === 22 ? `${email}@${host}` : `${email}@${host}:${port}`);
}

export interface SshCommands {
  ssh: string;
  scp: string;
  /** One block of ~/.ssh/config for all controllers, and the name by which this one is reached then. */
  config: string;
  hostName: string;
}

/** How a controller is reached from a terminal of one's own. */
export function formatSshCommands(
  { SSH_JUMP: jump, TUNNEL_DOMAIN }: Pick<Environments, 'SSH_JUMP' | 'TUNNEL_DOMAIN'>,
  { email, serialNumber }: { email: string; serialNumber: string },
): SshCommands | undefined {
  if (!jump) return undefined;
  const way = formatJump(jump, email);
  const suffix = `.ssh.${TUNNEL_DOMAIN.replace(/:\d+$/, '')}`;
  return {
    ssh: `ssh -J ${way} root@${serialNumber}`,
    scp: `scp -J ${way} root@${serialNumber}:/var/log/syslog .`,
    config: [`Host *${suffix}`, `  ProxyJump ${way}`, '  User root'].join('\n'),
    hostName: `${serialNumber.toLowerCase()}${suffix}`,
  };
}

/** What connects a device that has nothing but an SSH client, for as long as it runs. KEY is for who pastes it to fill in. */
export function formatDeviceCommand({ host, port }: Jump): string {
  const forwards = '-R pult-http:80:127.0.0.1:80 -R pult-ssh:22:127.0.0.1:22';
  const options = [
    'ServerAliveInterval=30',
    'ServerAliveCountMax=3',
    'ExitOnForwardFailure=yes',
    'IdentitiesOnly=yes',
  ];
  const settings = options.map((option) => `-o ${option}`).join(' ');
  return `ssh -N ${forwards} ${settings} -i KEY -p ${port} ${quote(`device@${host}`)}`;
}
