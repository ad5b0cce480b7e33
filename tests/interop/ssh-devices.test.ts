import { createHash } from 'node:crypto';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  freePort,
  HttpClient,
  hashByteSource,
  makeSshKey,
  makeTempDir,
  poll,
  runCommand,
} from '@pult/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLightSite } from './light-server.ts';
import { openTunnel, openWebInterface, type Site, waitForStatus } from './site.ts';
import { claimSshDevice, dropbear, openSsh, startSshDevice, untilEnded } from './ssh-device.ts';
import { startTerminal } from './terminal-client.ts';

let site: Site;
let port: number;
let forwards: string[];

beforeAll(async () => {
  port = await freePort();
  site = await startLightSite({ serverEnv: { SSH_JUMP_PORT: String(port) } });
  forwards = [`pult-http:80:${site.web.address}`, `pult-ssh:22:${site.ssh.address}`];
}, 120_000);
afterAll(() => site?.[Symbol.asyncDispose]());

const bytes = 20_000_000;

async function download(controller: Site): Promise<string> {
  const browser = await openWebInterface(controller);
  const answer = await browser.request(`${controller.tunnelUrl}/download/${bytes}`);
  const hash = createHash('sha256');
  await pipeline(answer.body, hash);
  return hash.digest('hex');
}

describe.each([
  ['OpenSSH', openSsh],
  ['dropbear', dropbear],
] as const)('a device with %s', (_, program) => {
  test('a device by SSH enrols, is claimed by the link of the banner, and has its web interface and a terminal', async () => {
    await using device = await startSshDevice({ program, port, forwards });
    const controller = await claimSshDevice(site, device);
    expect(controller.serialNumber).toMatch(/^SSH-[A-Z2-7]{8}$/);
    expect(await download(controller)).toBe(hashByteSource(bytes));

    const terminal = await startTerminal(controller);
    expect(await terminal.nextMessage()).toMatchObject({ type: 'ready' });
    terminal.type('echo "on $((40 + 2))"\n');
    await terminal.waitForOutput(/on 42/);
    terminal.close();
  });

  test('a device by SSH may have plain forwards of the ports 80 and 22, and a serial number of its own', async () => {
    const serialNumber = `${program.name.toUpperCase()}-1`;
    await using device = await startSshDevice({
      program,
      port,
      forwards: [`80:${site.web.address}`, `22:${site.ssh.address}`],
      user: `device+${serialNumber.toLowerCase()}`,
    });
    const controller = await claimSshDevice(site, device);
    expect(controller.serialNumber).toBe(serialNumber);
    expect((await (await openWebInterface(controller)).request(`${controller.tunnelUrl}/`)).status).toBe(200);
    const terminal = await startTerminal(controller);
    expect(await terminal.nextMessage()).toMatchObject({ type: 'ready' });
    terminal.close();
  });

  test('a device by SSH that comes back takes its name over from the connection before', async () => {
    await using device = await startSshDevice({ program, port, forwards });
    const controller = await claimSshDevice(site, device);
    // Half dead: it answers nothing, and the network has said nothing of its end.
    device.process.signal('SIGSTOP');
    device.connect();
    const ask = async () => {
      const { tunnelRedirectUrl } = await openTunnel(controller, 'http');
      const answer = await new HttpClient().request(tunnelRedirectUrl, {
        followRedirects: true,
        signal: AbortSignal.timeout(2_000),
      });
      return answer.status === 200;
    };
    await poll(() => ask().catch(() => false), { what: 'the page comes by the newer one' });
    device.process.signal('SIGCONT');
    await poll(async () => !device.process.isRunning, { what: 'the older one has ended' });
    await waitForStatus(controller, 'online');
  });

  test('a device by SSH that is removed from its organization is cut within two seconds, and shows a new link', async () => {
    await using device = await startSshDevice({ program, port, forwards });
    const controller = await claimSshDevice(site, device);
    const params = { serialNumber: controller.serialNumber };
    const end = () => site.api.call('deleteController', { params });
    expect(await untilEnded(device.process, site, end)).toBeLessThan(2_000);
    const again = device.connect();
    await again.waitForLine(new RegExp(`Controller ${controller.serialNumber} belongs to nobody yet`));
    await again.waitForLine(/token=/);
  });

  test('a device by SSH reaches nothing else: no shell, no command, no local forwards, no other channels', async () => {
    await using device = await startSshDevice({ program, port, forwards });
    await claimSshDevice(site, device);
    const { stdout } = await device.run(['cat /etc/passwd; id']);
    expect(stdout.trim()).toMatch(/^Controller SSH-\w+ is connected\.$/);
    const local = await freePort();
    const forwarding = device.connect({ options: ['-L', `${local}:127.0.0.1:${site.server.port}`] });
    const answer = async () => {
      try {
        await fetch(`http://127.0.0.1:${local}/`);
        return 'answered';
      } catch (error) {
        // Refused before the client listens; afterwards the channel is.
        return String((error as { cause?: { code?: string } }).cause?.code);
      }
    };
    await poll(async () => (await answer()) !== 'ECONNREFUSED', { what: 'the client listens' });
    expect(await answer()).not.toBe('answered');
    expect(forwarding.isRunning).toBe(true);
  });
});

test('a device with OpenSSH is asked for the enrolment key after its own, and one with dropbear gives it in its user name', async () => {
  const enrollmentKey = 'correct horse battery staple';
  const locked = await freePort();
  const serverEnv = { SSH_JUMP_PORT: String(locked), ENROLLMENT_KEY: enrollmentKey, LOG_LEVEL: 'trace' };
  await using own = await startLightSite({ serverEnv });
  const folder = await makeTempDir('askpass');
  const askpass = join(folder.path, 'askpass');
  await writeFile(askpass, `#!/bin/sh\necho '${enrollmentKey}'\n`);
  await chmod(askpass, 0o700);
  const env = { SSH_ASKPASS: askpass, SSH_ASKPASS_REQUIRE: 'force' };
  await using asked = await startSshDevice({ program: openSsh, port: locked, forwards, env });
  await claimSshDevice(own, asked);
  const user = `device+DROPBEAR-2:${enrollmentKey}`;
  await using named = await startSshDevice({ program: dropbear, port: locked, forwards, user });
  await claimSshDevice(own, named);
  await using stranger = await startSshDevice({
    program: openSsh,
    port: locked,
    forwards,
    options: ['-o', 'BatchMode=yes'],
  });
  await stranger.process.exited;
  expect(stranger.process.tail()).toContain('Permission denied');
  expect(own.server.process.tail(100_000)).not.toContain(enrollmentKey);
  await folder.remove();
}, 90_000);

test('a named service of a device by SSH needs a forward of its own, and its page says which', async () => {
  await using device = await startSshDevice({ program: openSsh, port, forwards });
  const controller = await claimSshDevice(site, device);
  const { serialNumber } = controller;
  const open = async () => {
    const params = { serialNumber, protocol: '8123' };
    const { tunnelRedirectUrl } = await site.api.call('openTunnel', { params });
    const options = { followRedirects: true, headers: { 'accept-language': 'en' } };
    return (await new HttpClient().request(tunnelRedirectUrl, options)).text();
  };
  await site.api.call('createService', { params: { serialNumber }, body: { name: 'Heating', port: 8123 } });
  expect(await open()).toContain('add -R 8123:127.0.0.1:8123 to its ssh command');
  device.connect({ forwards: [...forwards, `8123:${site.web.address}`] });
  await poll(async () => (await open()).includes('Boiler room'), { what: 'the service opens' });
});

test('a certificate of an authority that the server does not know lets no device in, and its key alone still does', async () => {
  await using device = await startSshDevice({ program: openSsh, port, forwards });
  const authority = await makeSshKey(`${device.key}-authority`);
  const signing = ['-q', '-s', authority.path, '-I', 'a device', '-n', 'device', `${device.key}.pub`];
  expect(await runCommand('ssh-keygen', signing)).toMatchObject({ code: 0 });
  const certificate = ['-o', `CertificateFile=${device.key}-cert.pub`, '-o', 'BatchMode=yes'];
  const type = 'ssh-ed25519-cert-v01@openssh.com';
  const alone = { options: [...certificate, '-o', `PubkeyAcceptedAlgorithms=${type}`] };
  expect(await device.run(['link'], alone)).toMatchObject({
    code: 255,
    stderr: expect.stringContaining('Permission denied (publickey)'),
  });
  expect((await device.run(['link'], { options: certificate })).stdout).toContain('token=');
  await claimSshDevice(site, device);
});
