import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  type Container,
  findContainerObstacle,
  findNode,
  freePort,
  makeTempDir,
  type NodePackage,
  poll,
  repositoryPath,
  runCommand,
  startContainer,
} from '@pult/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  claimShown,
  getController,
  logIn,
  openWebInterface,
  type Site,
  startSite,
  waitForStatus,
} from './site.ts';

const table: Record<string, NodePackage & { sha256: string }> = JSON.parse(
  readFileSync(repositoryPath('deploy/agent-runtimes.json'), 'utf8'),
);
const runtime = table.x64 && (await findNode(table.x64));
const obstacle = findContainerObstacle() ?? (runtime ? undefined : 'the registry does not give its Node.js');
const title = obstacle ? `a machine of its own (not here: ${obstacle})` : 'a machine of its own';

/** What starts programs where no systemd does, in a container of its own. */
const managers = [
  {
    name: 'OpenRC',
    // Installed in the container alone: beside the systemd of this machine it would take its place.
    obstacle: spawnSync('apt-cache', ['show', 'openrc']).status !== 0,
    prepare:
      'DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends openrc && mkdir -p /run/openrc && touch /run/openrc/softlevel',
    command: (service: string, action: string) => `rc-service ${service} ${action}`,
    enabled: {
      list: 'rc-update show default',
      running: 'status: started',
      stopped: 'status: stopped',
      start: (service: string) => `rc-service ${service} start`,
    },
  },
  {
    name: 'procd',
    obstacle: false,
    // Debian has none: a stand-in by OpenWrt's documentation, in the shell that OpenWrt has.
    prepare: `cd ${repositoryPath('tests/interop/procd')} && cp rc.common /etc/rc.common && cp procd /sbin/procd && chmod 755 /sbin/procd && ln -sf /bin/busybox /bin/sh`,
    command: (service: string, action: string) => `/etc/init.d/${service} ${action}`,
    enabled: {
      list: 'ls /etc/rc.d',
      running: 'running',
      stopped: 'inactive',
      // As at the start of the machine.
      start: (service: string) => `/etc/rc.d/S95${service} boot`,
    },
  },
].map((manager) => ({
  ...manager,
  title: manager.obstacle ? `${manager.name} (not here: apt does not know it)` : manager.name,
}));

const runtimes = repositoryPath('.cache/node-runtimes/packed');

/** Once for this checkout: it takes a while. */
async function packRuntime(): Promise<void> {
  const packed = join(runtimes, 'x64.xz');
  if (existsSync(packed)) return;
  await mkdir(runtimes, { recursive: true });
  const script = 'xz -0 -c "$1" >"$2.new" && mv "$2.new" "$2"';
  const { code, stderr } = await runCommand('sh', ['-c', script, 'pack', runtime ?? '', packed], {
    timeoutMs: 300_000,
  });
  if (code !== 0) throw new Error(`Node.js cannot be packed: ${stderr}`);
}

/** What a script writes that succeeds. */
async function must(container: Container, script: string): Promise<string> {
  const { code, stdout, stderr } = await container.run(script, { timeoutMs: 120_000 });
  if (code !== 0) throw new Error(`${script} ended with ${code}\n${stdout}${stderr}`);
  return stdout;
}

describe.skipIf(obstacle)(title, () => {
  let site: Site;

  beforeAll(async () => {
    await packRuntime();
    const port = await freePort();
    const serverEnv = {
      AGENT_RUNTIMES: runtimes,
      SSH_JUMP_PORT: String(port),
      SSH_JUMP_ADDRESS: `127.0.0.1:${port}`,
    };
    site = await startSite({ serverEnv });
  }, 420_000);
  afterAll(async () => {
    await site?.[Symbol.asyncDispose]();
  });

  const install = (options = '') => `curl -fsSL ${site.server.url}/agent/install.sh | sh -s -- ${options}`;
  const installSsh = (options: string) =>
    `curl -fsSL ${site.server.url}/agent/ssh-install.sh | sh -s -- ${options}`;
  const writeSettings = async (container: Container) => {
    const settings = { server: site.server.url, http: site.web.address, ssh: site.ssh.address, mqtt: 'off' };
    await must(container, `printf '%s' '${JSON.stringify(settings)}' >/etc/pult-agent.json`);
    return settings;
  };

  describe.sequential('with systemd and no Node.js', () => {
    let container: Container;
    let controller: Site;

    beforeAll(async () => {
      container = await startContainer({ isBooted: true });
    }, 180_000);
    afterAll(() => container?.stop());

    test('the agent is installed with the Node.js of the server, and keeps the settings that are there', async () => {
      expect((await container.run('command -v node')).code).not.toBe(0);
      const settings = await writeSettings(container);
      controller = await claimShown(site, await must(container, install()));
      await openWebInterface(controller);
      expect(JSON.parse(await must(container, 'cat /etc/pult-agent.json'))).toEqual(settings);
      const pid = (await must(container, 'systemctl show -P MainPID pult-agent')).trim();
      expect(await must(container, `readlink /proc/${pid}/exe`)).toBe('/usr/lib/pult-agent/node\n');
    }, 180_000);

    test('the agent runs without rights, and alone may read its key and settings', async () => {
      const pid = (await must(container, 'systemctl show -P MainPID pult-agent')).trim();
      const status = await must(container, `cat /proc/${pid}/status`);
      const id = (await must(container, 'id -u pult-agent')).trim();
      expect(id).not.toBe('0');
      expect(status).toMatch(new RegExp(`^Uid:\\t${id}\\t${id}\\t${id}\\t${id}$`, 'm'));
      expect(status).toMatch(/^CapEff:\t0+$/m);
      expect(status).toMatch(/^NoNewPrivs:\t1$/m);
      const files = '/var/lib/pult-agent /var/lib/pult-agent/device-key.json /etc/pult-agent.json';
      expect(await must(container, `stat -c '%U %G %a' ${files}`)).toBe(
        'pult-agent pult-agent 700\npult-agent pult-agent 600\nroot pult-agent 640\n',
      );
    });

    test('the diagnostics hold the journal, and say what the agent could not read', async () => {
      const params = { serialNumber: controller.serialNumber };
      await site.api.call('requestDiagnostic', { params });
      const ready = await poll(
        async () => {
          const [newest] = await site.api.call('listDiagnostics', { params });
          return newest?.finished ? newest : false;
        },
        { what: 'the diagnostics have ended', timeoutMs: 120_000 },
      );
      expect(ready).toMatchObject({ status: 'ready' });
      const browser = await logIn(site);
      const answer = await browser.request(`${site.server.url}/api/v1/download/${ready.id}`);
      const chunks: Buffer[] = [];
      for await (const chunk of answer.body) chunks.push(chunk);
      const archive = gunzipSync(Buffer.concat(chunks)).toString('latin1');
      // Lines of the system, and not of the agent alone.
      expect(archive).toMatch(/systemd\[1\]: Started pult-agent\.service/);
      expect(archive).toMatch(/^logs\/dmesg\.txt: dmesg: not permitted to pult-agent, /m);
    }, 180_000);

    test('the command of the agent shows its state, and the doctor finds nothing to do', async () => {
      expect(await must(container, 'pult-agent status')).toMatch(/^link: connected since /m);
      expect(await must(container, 'pult-agent doctor')).not.toMatch(/^NO/m);
    }, 60_000);

    test('the agent that was killed is started again', async () => {
      await must(container, 'systemctl kill -s KILL pult-agent');
      await waitForStatus(controller, 'offline');
      await poll(async () => (await getController(controller)).status === 'online', {
        what: 'it is back',
        timeoutMs: 60_000,
      });
    }, 120_000);

    test('an installation once more keeps the controller', async () => {
      const shown = await must(container, install());
      expect(shown).toContain(`serial number: ${controller.serialNumber}\n`);
      expect(shown).not.toContain('token=');
      await waitForStatus(controller, 'online');
    }, 120_000);

    test('a Node.js that is not the pinned one is refused, and the one before stays', async () => {
      await must(
        container,
        'mkdir /tmp/fake && echo no | xz >/tmp/fake/x64.xz && rm /usr/lib/pult-agent/node',
      );
      const script = `${install().replace('| sh -s --', '')} >/tmp/fake/install.sh
        cat >/tmp/fake/curl <<'END'
#!/bin/sh
case "$*" in
  *x64.xz) cp /tmp/fake/x64.xz /usr/lib/pult-agent/node.xz ;;
  *) exec /usr/bin/curl "$@" ;;
esac
END
        chmod 755 /tmp/fake/curl; PATH=/tmp/fake:$PATH sh /tmp/fake/install.sh`;
      expect(await container.run(script)).toMatchObject({
        code: 1,
        stderr: 'pult-agent: the Node.js that came is not the one that was pinned: nothing was installed.\n',
      });
      expect((await container.run('ls /usr/lib/pult-agent/node')).code).not.toBe(0);
      await must(container, install());
    }, 120_000);

    test('uninstalling leaves nothing behind', async () => {
      await must(container, install('--uninstall'));
      await poll(async () => (await getController(controller)).status === 'offline', { what: 'it is gone' });
      const left = await container.run(
        'ls -d /usr/lib/pult-agent /var/lib/pult-agent /etc/pult-agent.json /usr/bin/pult-agent /usr/lib/sysusers.d/pult-agent.conf; id pult-agent; systemctl cat pult-agent',
      );
      expect(left).toMatchObject({ stdout: '' });
      expect(left.code).not.toBe(0);
    }, 60_000);

    test('the script for SSH keeps the device connected by systemd, also after its client was killed, and leaves nothing', async () => {
      const script = `curl -fsSL ${site.server.url}/agent/ssh-install.sh | sh -s -- --http ${site.web.address} --ssh ${site.ssh.address}`;
      const device = await claimShown(site, await must(container, script));
      await openWebInterface(device);
      expect(await must(container, 'systemctl is-active pult-ssh; systemctl is-enabled pult-ssh')).toBe(
        'active\nenabled\n',
      );
      await must(container, 'systemctl kill -s KILL pult-ssh');
      await waitForStatus(device, 'offline');
      await poll(async () => (await getController(device)).status === 'online', {
        what: 'it is back',
        timeoutMs: 60_000,
      });
      await must(container, `${script.split(' | ')[0]} | sh -s -- --uninstall`);
      await poll(async () => (await getController(device)).status === 'offline', { what: 'it is gone' });
      expect((await container.run('ls /etc/pult-ssh /etc/systemd/system/pult-ssh.service')).stdout).toBe('');
    }, 180_000);
  });

  test('cron starts the agent where no systemd runs, and starts it again', async () => {
    await using container = await startContainer({ isBooted: false });
    await must(container, 'cron');
    await writeSettings(container);
    const controller = await claimShown(site, await must(container, install()));
    expect(await must(container, 'ps -o args= -u pult-agent')).toMatch(
      /^\/usr\/lib\/pult-agent\/node .* run$/m,
    );
    await must(container, 'kill -9 "$(cat /run/pult-agent.pid)"; pkill -9 -u pult-agent');
    await waitForStatus(controller, 'offline');
    await poll(async () => (await getController(controller)).status === 'online', {
      what: 'cron has started it',
      timeoutMs: 150_000,
    });
    const orphan = await must(container, '/usr/lib/pult-agent/agents');
    // A loop that was killed leaves its agent behind, and the next one begins another.
    const next = '/usr/lib/pult-agent/loop </dev/null >/dev/null 2>&1 &';
    await must(container, `kill -9 "$(cat /run/pult-agent.pid)"; ${next}`);
    const isReplaced = async () => {
      const agents = await must(container, '/usr/lib/pult-agent/agents');
      return /^\d+\n$/.test(agents) && agents !== orphan;
    };
    await poll(isReplaced, { what: 'one other agent runs' });
    // One that does not end when it is told to.
    await must(container, 'kill -STOP $(/usr/lib/pult-agent/agents)');
    await must(container, install('--uninstall'));
    await poll(async () => (await getController(controller)).status === 'offline', { what: 'it is gone' });
    expect(await must(container, 'crontab -l')).toBe('');
    expect((await container.run('ls -d /usr/lib/pult-agent /var/lib/pult-agent; id pult-agent')).stdout).toBe(
      '',
    );
  }, 360_000);

  describe.each(managers)('with $title', ({ name, obstacle: missing, prepare, command, enabled }) => {
    let container: Container;

    beforeAll(async () => {
      if (missing) return;
      container = await startContainer({ isBooted: false });
      await must(container, prepare);
    }, 240_000);
    afterAll(() => container?.stop());

    test.skipIf(missing).each([
      ['pult-agent', 'kill -9 $(/usr/lib/pult-agent/agents)', () => install(), () => install('--uninstall')],
      [
        'pult-ssh',
        'kill -9 $(pgrep -x ssh)',
        () => installSsh(`--http ${site.web.address} --ssh ${site.ssh.address}`),
        () => installSsh('--uninstall'),
      ],
    ])(
      `${name} keeps %s running, stops it and starts it`,
      async (service, kill, put, remove) => {
        if (service === 'pult-agent') await writeSettings(container);
        const device = await claimShown(site, await must(container, put()));
        await openWebInterface(device);
        expect(await must(container, `${command(service, 'status')}; ${enabled.list}`)).toMatch(
          new RegExp(`${enabled.running}[\\s\\S]*${service}`),
        );
        const waitForOnline = () =>
          poll(async () => (await getController(device)).status === 'online', {
            what: 'it is back',
            timeoutMs: 60_000,
          });
        await must(container, kill);
        await waitForStatus(device, 'offline');
        await waitForOnline();
        await must(container, command(service, 'stop'));
        await waitForStatus(device, 'offline');
        expect((await container.run(command(service, 'status'))).stdout).toContain(enabled.stopped);
        await must(container, enabled.start(service));
        await waitForOnline();
        await must(container, remove());
        await poll(async () => (await getController(device)).status === 'offline', { what: 'it is gone' });
        const left = `ls -d /etc/init.d/${service} /etc/rc.d/*${service} /usr/lib/pult-agent /etc/pult-ssh`;
        expect((await container.run(left)).stdout).toBe('');
      },
      240_000,
    );
  });

  test.each([
    [
      'systemd',
      'etc/systemd/system/pult-agent.service',
      /^ExecStart=\/usr\/lib\/pult-agent\/launcher \/usr\/lib\/pult-agent\/node /m,
    ],
    ['openrc', 'etc/init.d/pult-agent', /^command=\/usr\/lib\/pult-agent\/start$/m],
    ['procd', 'etc/init.d/pult-agent', /^ {2}procd_set_param command \/usr\/lib\/pult-agent\/start$/m],
  ])(
    'the image of a device gets a service of %s and a Node.js, and loses them',
    async (init, path, line) => {
      await using image = await makeTempDir('image');
      const env = { PULT_ROOT: image.path, PULT_ARCH: 'x64' };
      const put = await runCommand('sh', ['-c', install(`--init ${init}`)], { env });
      expect(put).toMatchObject({ code: 0, stdout: `Installed into ${image.path}.\n`, stderr: '' });
      expect(await readFile(join(image.path, path), 'utf8')).toMatch(line);
      const node = join(image.path, 'usr/lib/pult-agent/node');
      expect((await runCommand(node, ['--version'])).stdout).toBe(`v${table.x64?.version}\n`);
      const taken = await runCommand('sh', ['-c', install('--uninstall')], { env });
      expect(taken).toMatchObject({ code: 0, stderr: '' });
      const left = await runCommand('find', [image.path, '-type', 'f']);
      expect(left.stdout).toBe('');
    },
    120_000,
  );
});
