import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  createByteSource,
  freePort,
  hashByteSource,
  makeSshKey,
  makeTempDir,
  poll,
  RunningProcess,
  runCommand,
  type SshKey,
  startAgentProcess,
} from '@pult/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createJumpClient, type JumpClient, scanHostKey } from './jump-client.ts';
import { startLightSite } from './light-server.ts';
import { addUser, claim, getOrganizationId, type Site } from './site.ts';
import { untilEnded } from './ssh-device.ts';

let site: Site;
let port: number;
let keys: Awaited<ReturnType<typeof makeTempDir>>;
let key: SshKey;
let client: JumpClient;
const bytes = 16_000_000;

beforeAll(async () => {
  port = await freePort();
  site = await startLightSite({ serverEnv: { SSH_JUMP_PORT: String(port) } });
  await claim(site);
  keys = await makeTempDir('keys');
  key = await makeSshKey(join(keys.path, 'account'));
  await register(key);
  client = await createJumpClient(site, { port, email: site.server.adminEmail, key });
  await pipeline(createByteSource(bytes), createWriteStream(join(site.ssh.folder, 'archive')));
}, 120_000);
afterAll(async () => {
  await client?.[Symbol.asyncDispose]();
  await keys?.remove();
  await site?.[Symbol.asyncDispose]();
});

const register = ({ publicKey }: SshKey) =>
  site.api.call('addSshKey', { body: { name: 'Laptop', publicKey } });
const device = (host = site.serialNumber) => `${site.ssh.user}@${host}`;
const file = (name: string) => join(site.ssh.folder, name);

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

test('ssh -J passes input, output, errors and the exit code', async () => {
  const answer = await client.run('ssh', [device(), 'cat; echo oops >&2; exit 7'], {
    input: 'привет\u0000мир',
  });
  expect(answer).toMatchObject({ code: 7, stdout: 'привет\u0000мир' });
  expect(answer.stderr).toContain('oops');
});

/** What the jump host itself says to whoever logs in by that key. */
async function logInBy(own: SshKey, ...options: string[]): Promise<string> {
  await using typed = await createJumpClient(site, { port, email: site.server.adminEmail, key: own });
  const login = ['-F', typed.options[1] ?? '', '-p', String(port), '-l', site.server.adminEmail];
  return (await runCommand('ssh', [...options, ...login, '127.0.0.1'])).stderr;
}

test.each([
  ['ed25519', { type: 'ed25519' }],
  ['ecdsa nistp256', { type: 'ecdsa', bits: 256 }],
  ['ecdsa nistp384', { type: 'ecdsa', bits: 384 }],
  ['ecdsa nistp521', { type: 'ecdsa', bits: 521 }],
  ['rsa 2048', { type: 'rsa', bits: 2048 }],
  ['rsa 4096', { type: 'rsa', bits: 4096 }],
] as const)('a key of type %s logs in', async (name, kind) => {
  const own = await makeSshKey(join(keys.path, name.replace(' ', '-')), '', kind);
  await register(own);
  expect(await logInBy(own)).toContain('there is no shell here');
});

test('an RSA key does not log in by a SHA-1 signature', async () => {
  const own = await makeSshKey(join(keys.path, 'sha1'), '', { type: 'rsa', bits: 2048 });
  await register(own);
  expect(await logInBy(own)).toContain('there is no shell here');
  const refused = await logInBy(own, '-o', 'PubkeyAcceptedAlgorithms=ssh-rsa');
  expect(refused).toContain('Permission denied (publickey)');
});

test('the serial number may be written in lower case, and with the tunnel domain behind it', async () => {
  const lower = site.serialNumber.toLowerCase();
  for (const host of [lower, `${lower}.localhost`, `${site.serialNumber}.http.localhost`]) {
    const answer = await client.run('ssh', [device(host), 'echo here']);
    expect(answer).toMatchObject({ code: 0, stdout: 'here\n' });
  }
});

test('the user name may have its @ as %40, and an address of the form ssh://', async () => {
  const [user = '', rest] = client.jump.split('@127');
  const jump = `ssh://${user.replace('@', '%40')}@127${rest}`;
  const answer = await runCommand('ssh', [
    ...client.options.slice(0, 2),
    '-J',
    jump,
    device(),
    'echo percent',
  ]);
  expect(answer).toMatchObject({ code: 0, stdout: 'percent\n' });
});

test('scp carries 16 MB to the device and back', async () => {
  const upload = await client.run('scp', [file('archive'), `${device()}:${file('uploaded')}`]);
  expect(upload).toMatchObject({ code: 0 });
  const download = await client.run('scp', [`${device()}:${file('uploaded')}`, file('downloaded')]);
  expect(download).toMatchObject({ code: 0 });
  expect(await hashFile(file('uploaded'))).toBe(hashByteSource(bytes));
  expect(await hashFile(file('downloaded'))).toBe(hashByteSource(bytes));
});

test('sftp puts, lists and gets', async () => {
  const commands = [`put ${file('sshd_config')} ${file('from-sftp')}`, `ls -1 ${site.ssh.folder}`];
  const answer = await client.run('sftp', ['-b', '-', device()], { input: `${commands.join('\n')}\n` });
  expect(answer).toMatchObject({ code: 0 });
  expect(answer.stdout).toContain(file('from-sftp'));
  expect(await hashFile(file('from-sftp'))).toBe(await hashFile(file('sshd_config')));
});

test('rsync copies by the same options', async () => {
  const shell = ['ssh', ...client.options].join(' ');
  const args = ['-e', shell, file('archive'), `${device()}:${file('from-rsync')}`];
  expect(await runCommand('rsync', args)).toMatchObject({ code: 0 });
  expect(await hashFile(file('from-rsync'))).toBe(hashByteSource(bytes));
});

test('-L reaches the device’s other ports over the SSH session', async () => {
  const local = await freePort();
  const forward = `127.0.0.1:${local}:${site.web.address}`;
  const ssh = new RunningProcess({
    name: 'ssh',
    command: 'ssh',
    args: [...client.options, '-N', '-L', forward, '-o', 'ExitOnForwardFailure=yes', device()],
  });
  try {
    const ask = async () => {
      try {
        return (await fetch(`http://127.0.0.1:${local}/`)).status;
      } catch {
        return false; // not forwarded yet
      }
    };
    expect(await poll(ask, { what: 'the forwarded port answers' })).toBe(200);
  } finally {
    await ssh.stop();
  }
});

test('-W and ProxyCommand open the raw port', async () => {
  const proxy = [
    'ssh',
    ...client.options.slice(0, 2),
    '-p',
    port,
    '-l',
    site.server.adminEmail,
    '-W',
    '%h:%p',
    '127.0.0.1',
  ];
  const options = [...client.options.slice(0, 2), '-o', `ProxyCommand=${proxy.join(' ')}`];
  const answer = await runCommand('ssh', [...options, device(), 'echo through']);
  expect(answer).toMatchObject({ code: 0, stdout: 'through\n' });
});

test('sessions at once do not mix', async () => {
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, number) => client.run('ssh', [device(), `echo session ${number}`])),
  );
  expect(answers.map(({ stdout }) => stdout)).toEqual(
    Array.from({ length: 5 }, (_, number) => `session ${number}\n`),
  );
});

test('one connection to the jump host carries many sessions, as Ansible makes them', async () => {
  const control = join(client.folder, 'control');
  const login = [...client.options.slice(0, 2), '-p', String(port), '-l', site.server.adminEmail];
  const master = [...login, '-o', `ControlPath=${control}`];
  const ssh = new RunningProcess({
    name: 'master',
    command: 'ssh',
    args: [...master, '-M', '-N', '127.0.0.1'],
  });
  try {
    const isUp = async () => (await runCommand('ssh', [...master, '-O', 'check', '127.0.0.1'])).code === 0;
    await poll(isUp, { what: 'the master connection is up' });
    const proxy = `ssh ${master.join(' ')} -W %h:%p 127.0.0.1`;
    const options = [...client.options.slice(0, 2), '-o', `ProxyCommand=${proxy}`];
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, number) =>
        runCommand('ssh', [
          ...options,
          device(),
          `head -c 1000000 ${file('archive')} | sha256sum; echo ${number}`,
        ]),
      ),
    );
    expect(answers.map(({ code }) => code)).toEqual(Array(5).fill(0));
    expect(new Set(answers.map(({ stdout }) => stdout.split(' ')[0])).size).toBe(1);
  } finally {
    await ssh.stop();
  }
});

test('a key that is not registered, another’s name and a password are refused in the same words', async () => {
  const own = await makeSshKey(join(keys.path, 'stranger'));
  const { adminEmail } = site.server;
  const refusals = await Promise.all(
    [
      { email: adminEmail, key: own },
      { email: 'nobody@pult.example', key: own },
      { email: 'nobody@pult.example', key },
    ].map(async (options) => {
      await using stranger = await createJumpClient(site, { port, ...options });
      const { code, stderr } = await stranger.run('ssh', [device(), 'true']);
      return { code, stderr: stderr.replace(/^\S+@127/m, 'X@127').replace(/UNKNOWN port.*/s, '') };
    }),
  );
  expect(refusals[0]).toEqual({
    code: 255,
    stderr: expect.stringContaining('Permission denied (publickey)'),
  });
  expect(refusals[1]).toEqual(refusals[0]);
  expect(refusals[2]).toEqual(refusals[0]);
});

test('the jump host itself has no shell, runs no command and forwards nothing else', async () => {
  const login = [...client.options.slice(0, 2), '-p', String(port), '-l', site.server.adminEmail];
  for (const command of [[], ['id']]) {
    const { code, stdout, stderr } = await runCommand('ssh', ['-T', ...login, '127.0.0.1', ...command]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(
        /there is no shell here\. Connect to a controller: ssh -J \S+@\S+@localhost:\d+ root@/,
      ),
    ]);
  }
  const back = ['-o', 'ExitOnForwardFailure=yes', '-N', '-R', '0:127.0.0.1:1'];
  expect((await runCommand('ssh', [...login, ...back, '127.0.0.1'])).stderr).toContain(
    'remote port forwarding failed',
  );
  expect(
    (
      await runCommand('sftp', [
        '-P',
        String(port),
        ...client.options.slice(0, 2),
        `${site.server.adminEmail}@127.0.0.1`,
      ])
    ).code,
  ).not.toBe(0);
});

test('what cannot be reached is said in the terminal', async () => {
  const say = async (host: string, ...options: string[]) =>
    (await client.run('ssh', [...options, device(host), 'true'])).stderr;
  expect(await say('T000000000')).toContain(
    'open failed: administratively prohibited: controller T000000000 does not exist',
  );
  expect(await say('10.0.0.1')).toContain('not the serial number of a controller');
  expect(await say(site.serialNumber, '-p', '80')).toContain(
    'only port 22 of a controller can be reached here',
  );
});

test('one block of ~/.ssh/config serves the whole fleet', async () => {
  const config = join(client.folder, 'fleet');
  const block = ['Host *.ssh.localhost', `  ProxyJump ${client.jump}`, `  User ${site.ssh.user}`];
  await writeFile(config, `Include ${client.options[1]}\n${block.join('\n')}\n`);
  const host = `${site.serialNumber.toLowerCase()}.ssh.localhost`;
  const answer = await runCommand('ssh', ['-F', config, host, 'echo fleet']);
  expect(answer).toMatchObject({ code: 0, stdout: 'fleet\n' });
});

/** A session that is open and says nothing. */
async function openIdle(idle: JumpClient) {
  const ssh = new RunningProcess({
    name: 'ssh',
    command: 'ssh',
    args: [...idle.options, device(), 'echo open; exec sleep 600'],
  });
  await ssh.waitForLine(/^open$/);
  return ssh;
}

/** How long it took, in milliseconds. */
test('deleting the key cuts its open sessions within two seconds', async () => {
  const own = await makeSshKey(join(keys.path, 'doomed'));
  const { id } = await register(own);
  await using doomed = await createJumpClient(site, { port, email: site.server.adminEmail, key: own });
  const ssh = await openIdle(doomed);
  const call = () => site.api.call('deleteSshKey', { params: { keyId: id } });
  expect(await untilEnded(ssh, site, call)).toBeLessThan(2_000);
  expect((await doomed.run('ssh', [device(), 'true'])).stderr).toContain('Permission denied (publickey)');
});

test('removing a member cuts their open sessions within two seconds', async () => {
  const email = 'member@pult.example';
  const member = await addUser(site, email);
  const organizationId = await getOrganizationId(site);
  const invite = await site.api.call('inviteUser', {
    params: { organizationId },
    body: { email, role: 'member' },
  });
  const token = new URL(invite.inviteUrl ?? '').searchParams.get('token') ?? '';
  await member.call('acceptInvite', { body: { organizationInviteToken: token } });
  const own = await makeSshKey(join(keys.path, 'member'));
  await member.call('addSshKey', { body: { name: 'Laptop', publicKey: own.publicKey } });
  await using theirs = await createJumpClient(site, { port, email, key: own });
  const ssh = await openIdle(theirs);
  const { id: userId } = await member.call('getCurrentUser');
  const call = () => site.api.call('removeMember', { params: { organizationId, userId } });
  expect(await untilEnded(ssh, site, call)).toBeLessThan(2_000);
  // To a stranger it is as if there were no such controller.
  expect((await theirs.run('ssh', [device(), 'true'])).stderr).toContain(
    `controller ${site.serialNumber} does not exist`,
  );
});

test('an offline controller is said to be offline', async () => {
  const serialNumber = `OFF${port}`;
  const agent = await startAgentProcess({
    serverUrl: site.server.url,
    serialNumber,
    http: site.web.address,
    ssh: site.ssh.address,
  });
  const { token } = await agent.waitForActivation();
  await site.api.call('activateController', { body: { token, organization: await getOrganizationId(site) } });
  await agent.stop();
  const ask = async () =>
    (await client.run('ssh', [device(serialNumber), 'true'])).stderr.includes(
      `open failed: connect failed: controller ${serialNumber} is offline`,
    );
  await poll(ask, { what: 'it is said to be offline', timeoutMs: 30_000 });
}, 60_000);

test('the host key is the one that the console shows, and stays over a restart', async () => {
  const { SSH_JUMP: shown } = await site.api.call('getEnvironments');
  const blob = async () => Buffer.from((await scanHostKey(port)).split(' ')[1] ?? '', 'base64');
  const before = await blob();
  const digest = createHash('sha256').update(before).digest('base64').replace(/=+$/, '');
  expect(shown).toEqual({ host: 'localhost', port, hostKeyFingerprint: `SHA256:${digest}` });
  await site.server.halt();
  await site.server.start();
  expect(await blob()).toEqual(before);
  await poll(async () => (await client.run('ssh', [device(), 'true'])).code === 0, {
    what: 'the controller is reached again',
    timeoutMs: 60_000,
  });
}, 90_000);
