import { expect, test } from 'vitest';
import { formatDeviceCommand, formatSshCommands } from './ssh-command.ts';

const environments = {
  SSH_JUMP: { host: 'cloud.example.com', port: 2222, hostKeyFingerprint: 'SHA256:x' },
  TUNNEL_DOMAIN: 'cloud.example.com:8443',
};
const whose = { email: 'you@example.com', serialNumber: 'A1B2C3D4' };

test('writes the commands of OpenSSH and a block of its configuration', () => {
  expect(formatSshCommands(environments, whose)).toEqual({
    ssh: 'ssh -J you@example.com@cloud.example.com:2222 root@A1B2C3D4',
    scp: 'scp -J you@example.com@cloud.example.com:2222 root@A1B2C3D4:/var/log/syslog .',
    config: [
      'Host *.ssh.cloud.example.com',
      '  ProxyJump you@example.com@cloud.example.com:2222',
      '  User root',
    ].join('\n'),
    hostName: 'a1b2c3d4.ssh.cloud.example.com',
  });
});

test('leaves the usual port out, and quotes what a shell would read', () => {
  const jump = { ...environments.SSH_JUMP, port: 22 };
  const commands = formatSshCommands(
    { ...environments, SSH_JUMP: jump },
    { ...whose, email: "o'hara$@example.com" },
  );
  expect(commands?.ssh).toBe("ssh -J 'o'\\''hara$@example.com@cloud.example.com' root@A1B2C3D4");
});

test('no command is shown where there is no jump host', () => {
  expect(formatSshCommands({ ...environments, SSH_JUMP: null }, whose)).toBeUndefined();
});

test('a device that has nothing but an SSH client is connected by one line', () => {
  expect(formatDeviceCommand({ host: 'cloud.example.com', port: 2222 })).toBe(
    'ssh -N -R pult-http:80:127.0.0.1:80 -R pult-ssh:22:127.0.0.1:22 -o ServerAliveInterval=30 ' +
      '-o ServerAliveCountMax=3 -o ExitOnForwardFailure=yes -o IdentitiesOnly=yes -i KEY -p 2222 device@cloud.example.com',
  );
});
