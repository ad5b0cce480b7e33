import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, HttpClient, makeTempDir, poll, runCommand } from '@pult/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startLightSite } from './light-server.ts';
import { claimShown, getController, openWebInterface, type Site, waitForStatus } from './site.ts';

const enrollmentKey = "it's a $trange `key`";
let site: Site;
let text: string;
let folder: Awaited<ReturnType<typeof makeTempDir>>;

beforeAll(async () => {
  const port = await freePort();
  const serverEnv = { SSH_JUMP_PORT: String(port), SSH_JUMP_ADDRESS: `127.0.0.1:${port}` };
  site = await startLightSite({ serverEnv });
  text = await (await new HttpClient().request(`${site.server.url}/agent/ssh-install.sh`)).text();
}, 120_000);
afterAll(() => site?.[Symbol.asyncDispose]());

beforeEach(async () => {
  folder = await makeTempDir('ssh-install');
  await mkdir(join(folder.path, 'bin'));
  await writeFile(join(folder.path, 'install.sh'), text);
  // A table of its own: that of the person who runs the tests is left alone.
  const table = join(folder.path, 'crontab');
  await addProgram('crontab', `case $1 in -l) cat ${table} ;; *) cat >${table} ;; esac`);
});
afterEach(async () => {
  await install(['--uninstall']);
  await folder.remove();
});

async function addProgram(name: string, body: string): Promise<void> {
  const path = join(folder.path, 'bin', name);
  await writeFile(path, `#!/bin/sh\n${body}\n`);
  await chmod(path, 0o755);
}

const directory = () => join(folder.path, 'pult-ssh');

/** Runs the script by busybox, as a router does. */
function install(args: string[], env: Record<string, string> = {}) {
  return runCommand('busybox', ['sh', join(folder.path, 'install.sh'), ...args], {
    env: { PATH: `${join(folder.path, 'bin')}:${process.env.PATH}`, PULT_DIRECTORY: directory(), ...env },
  });
}

describe.each(['OpenSSH', 'dropbear'])('with %s', (client) => {
  beforeEach(async () => {
    if (client === 'dropbear') await addProgram('ssh', 'echo "Dropbear v2022.83" >&2');
  });

  test('the installation script makes a key, prints the activation link, and keeps the device connected until it is uninstalled', async () => {
    const options = ['--init', 'cron', '--http', site.web.address, '--ssh', site.ssh.address];
    const installed = await install(options);
    expect(installed).toMatchObject({ code: 0, stderr: '' });
    const controller = await claimShown(site, installed.stdout);
    await openWebInterface(controller);
    expect(await readFile(join(folder.path, 'crontab'), 'utf8')).toBe(`* * * * * ${directory()}/loop\n`);

    // Once more: the key stays, and so does the controller.
    const again = await install(options);
    expect(again).toMatchObject({ code: 0, stdout: `Controller ${controller.serialNumber} is connected.\n` });
    await waitForStatus(controller, 'online');

    expect(await install(['--uninstall'])).toMatchObject({ code: 0 });
    await poll(async () => (await getController(controller)).status === 'offline', { what: 'it is gone' });
    await expect(readFile(join(directory(), 'key'))).rejects.toThrow('ENOENT');
    expect(await readFile(join(folder.path, 'crontab'), 'utf8')).toBe('');
  });

  test.each([
    ['systemd', 'etc/systemd/system/pult-ssh.service', /^ExecStart=\/.*\/run$/m],
    ['openrc', 'etc/init.d/pult-ssh', /^supervisor=supervise-daemon$/m],
    ['procd', 'etc/init.d/pult-ssh', /^ {2}procd_set_param respawn 0 10 0$/m],
  ])('the installation script writes a service of %s, and removes it', async (init, path, line) => {
    const env = { PULT_ROOT: folder.path };
    const serial = `${client}-${init}`;
    const installed = await install(['--init', init, '--serial', serial, '--forward', '8123'], env);
    expect(installed).toMatchObject({ code: 0, stderr: '' });
    expect(installed.stdout).toContain(`Controller ${serial.toUpperCase()} belongs to nobody yet`);
    expect(await readFile(join(folder.path, path), 'utf8')).toMatch(line);
    const run = await readFile(join(directory(), 'run'), 'utf8');
    expect(run).toContain('-R pult-http:80:127.0.0.1:80');
    expect(run).toContain('-R 8123:127.0.0.1:8123');
    expect(await install(['--uninstall'], env)).toMatchObject({ code: 0 });
    await expect(readFile(join(folder.path, path))).rejects.toThrow('ENOENT');
  });

  test('the installation script meets another server in the place of this one, and logs in to none', async () => {
    const other = text.replace(/^HOST_KEY='ssh-ed25519 .*'$/m, `HOST_KEY='${site.ssh.hostKey.publicKey}'`);
    await writeFile(join(folder.path, 'install.sh'), other);
    const { stdout, stderr } = await install(['--init', 'none']);
    expect(stdout).not.toContain('token=');
    expect(stderr).toMatch(/host key/i);
  });
});

test('the installation script shows the link as a QR code in a terminal with UTF-8, and the same text in a pipe', async () => {
  const script = `stty cols 80; exec busybox sh ${join(folder.path, 'install.sh')} --init none --serial QR-1`;
  const env = { PULT_DIRECTORY: directory(), LC_ALL: 'C.UTF-8', TERM: 'xterm' };
  const shown = await runCommand('script', ['-qec', script, '/dev/null'], { env });
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/token=\S+\r\n[\s\S]*█▀▀▀▀▀█/) });
  const piped = await install(['--init', 'none', '--serial', 'QR-1'], env);
  expect(piped).toMatchObject({ code: 0, stdout: expect.stringMatching(/token=\S+\n$/) });
  expect(piped.stdout).not.toContain('▀');
});

test.each([
  [['--serial', 'A B'], "--serial: 'A B' cannot be used"],
  [['--http', '$(id)'], "--http: '$(id)' cannot be used"],
  [['--init', 'upstart'], '--init: upstart is not known'],
  [['--http'], '--http needs a value'],
  [['--http', 'off', '--ssh', 'off'], 'nothing is to be reached'],
  [['--what'], 'unknown option --what'],
])('the installation script refuses %j', async (args, said) => {
  const { code, stderr } = await install(args);
  expect({ code, stderr }).toEqual({ code: 1, stderr: `ssh-install: ${said}\n` });
});

test('the installation script gives the enrolment key, whatever is in it, and leaves it nowhere', async () => {
  const port = await freePort();
  const serverEnv = {
    SSH_JUMP_PORT: String(port),
    SSH_JUMP_ADDRESS: `127.0.0.1:${port}`,
    ENROLLMENT_KEY: enrollmentKey,
  };
  await using locked = await startLightSite({ serverEnv });
  const script = await (await new HttpClient().request(`${locked.server.url}/agent/ssh-install.sh`)).text();
  await writeFile(join(folder.path, 'install.sh'), script);
  const installed = await install(['--init', 'none', '--enrollment-key', enrollmentKey]);
  expect(installed.stdout).toContain('token=');
  const left = await runCommand('grep', ['-rF', enrollmentKey, directory()]);
  expect(left.stdout).toBe('');
}, 90_000);
