import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  type Container,
  findContainerObstacle,
  freePort,
  makeTempDir,
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
} from '../../interop/site.ts';
import {
  findRuntime,
  installLine,
  must,
  packRuntime,
  runtimesFolder,
  runtimeTable,
  settingsOf,
} from './agent-installer.ts';

const runtime = await findRuntime('x64');
const obstacle = findContainerObstacle() ?? (runtime ? undefined : 'the registry does not give its Node.js');
const title = obstacle ? `a machine of its own (not here: ${obstacle})` : 'a machine of its own';

const armNode = await findRuntime('armv7l');
const armLibraries = '/usr/arm-linux-gnueabihf';
const armObstacle =
  !armNode || !existsSync('/usr/bin/qemu-arm-static') || !existsSync(`${armLibraries}/lib/libatomic.so.1`)
    ? 'there is no Node.js for armv7l, or nothing that runs it'
    : '';
const armTitle = `of an armv7 board${armObstacle ? ` (not here: ${armObstacle})` : ''}`;

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
    prepare: `cd ${repositoryPath('tests/release/systems/procd')} && cp rc.common /etc/rc.common && cp procd /sbin/procd && chmod 755 /sbin/procd && ln -sf /bin/busybox /bin/sh`,
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

describe.skipIf(obstacle)(title, () => {
  let site: Site;

  beforeAll(async () => {
    await packRuntime();
    const port = await freePort();
    const serverEnv = {
      AGENT_RUNTIMES: runtimesFolder,
      SSH_JUMP_PORT: String(port),
      SSH_JUMP_ADDRESS: `127.0.0.1:${port}`,
    };
    site = await startSite({ serverEnv });
  }, 420_000);
  afterAll(async () => {
    await site?.[Symbol.asyncDispose]();
  });

  const install = (options?: string) => installLine(site, options);
  const installSsh = (options: string) =>
    `curl -fsSL ${site.server.url}/agent/ssh-install.sh | sh -s -- ${options}`;
  /** Containers have the serial number of this machine: each is given one of its own, so that none replaces another. */
  const writeSettings = async (container: Container) => {
    const settings = { ...settingsOf(site), serial: `BOX-${randomBytes(4).toString('hex').toUpperCase()}` };
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
      await must(container, 'systemctl kill --kill-who=main -s KILL pult-agent');
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

    describe.skipIf(armObstacle)(armTitle, () => {
      test('a Node.js without its libatomic is named, and the one before stays', async () => {
        // As on a 32-bit board without libatomic1: the real Node.js for it, on a processor that qemu plays, finds all libraries but this.
        await must(
          container,
          `cp -r ${armLibraries} /tmp/arm && rm /tmp/arm/lib/libatomic* && mkdir -p /tmp/board
          printf '#!/bin/sh\\nexec qemu-arm-static -L /tmp/arm ${armNode} "$@"\\n' >/tmp/board/node
          xz -k /tmp/board/node && mv /tmp/board/node.xz /tmp/board/armv7l.xz
          printf '#!/bin/sh\\necho armv7l\\n' >/tmp/board/uname
          curl -fsSL ${site.server.url}/agent/install.sh |
            sed "s/^runtimes='/runtimes='armv7l 20.11.0 $(sha256sum /tmp/board/node | cut -d ' ' -f 1)\\n/" >/tmp/board/install.sh
          cat >/tmp/board/curl <<'END'
#!/bin/sh
case "$*" in
  *armv7l.xz) cp /tmp/board/armv7l.xz /usr/lib/pult-agent/node.xz ;;
  *) exec /usr/bin/curl "$@" ;;
esac
END
          chmod 755 /tmp/board/curl /tmp/board/uname`,
        );
        const before = await must(container, 'sha256sum /usr/lib/pult-agent/node');
        const refused = await container.run('PATH=/tmp/board:$PATH sh /tmp/board/install.sh');
        expect(refused).toMatchObject({
          code: 1,
          stderr: expect.stringMatching(
            /^pult-agent: libatomic\.so\.1 is missing, .* \(Debian: apt-get install libatomic1\)/,
          ),
        });
        expect(await must(container, 'sha256sum /usr/lib/pult-agent/node')).toBe(before);
        expect(await must(container, 'ls /usr/lib/pult-agent')).not.toContain('node.new');
      }, 120_000);
    });

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
      await must(container, 'systemctl kill --kill-who=main -s KILL pult-ssh');
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
    // By this loop, or by cron's next one where cron has not buried the killed one yet, which then counts as running.
    await poll(isReplaced, { what: 'one other agent runs', timeoutMs: 90_000 });
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
      'etc/systemd/system/multi-user.target.wants/pult-agent.service',
      /^ExecStart=\/usr\/lib\/pult-agent\/launcher \/usr\/lib\/pult-agent\/node /m,
    ],
    [
      'openrc',
      'etc/init.d/pult-agent',
      'etc/runlevels/default/pult-agent',
      /^command=\/usr\/lib\/pult-agent\/start$/m,
    ],
    [
      'procd',
      'etc/init.d/pult-agent',
      'etc/rc.d/S95pult-agent',
      /^ {2}procd_set_param command \/usr\/lib\/pult-agent\/start$/m,
    ],
  ])(
    'the image of a device gets a service of %s that starts with it, an account and a Node.js, and loses them',
    async (init, path, link, line) => {
      await using image = await makeTempDir('image');
      await mkdir(join(image.path, 'etc'));
      for (const name of ['passwd', 'group']) {
        await writeFile(
          join(image.path, 'etc', name),
          name === 'passwd' ? 'root:x:0:0::/root:/bin/sh\n' : 'root:x:0:\n',
        );
      }
      const env = { PULT_ROOT: image.path, PULT_ARCH: 'x64' };
      const accounts = await readFile('/etc/passwd', 'utf8');
      const put = await runCommand('sh', ['-c', install(`--init ${init}`)], { env });
      expect(put).toMatchObject({ code: 0, stdout: `Installed into ${image.path}.\n`, stderr: '' });
      expect(await readFile(join(image.path, path), 'utf8')).toMatch(line);
      expect((await lstat(join(image.path, link))).isSymbolicLink()).toBe(true);
      const account = /^pult-agent:[x!]:\d+:\d+::\/var\/lib\/pult-agent:\/bin\/false$/m;
      expect(await readFile(join(image.path, 'etc/passwd'), 'utf8')).toMatch(account);
      // The machine that makes the image gets none.
      expect(await readFile('/etc/passwd', 'utf8')).toBe(accounts);
      const node = join(image.path, 'usr/lib/pult-agent/node');
      expect((await runCommand(node, ['--version'])).stdout).toBe(`v${runtimeTable.x64?.version}\n`);
      const taken = await runCommand('sh', ['-c', install('--uninstall')], { env });
      expect(taken).toMatchObject({ code: 0, stderr: '' });
      const left = await runCommand('find', [
        image.path,
        '!',
        '-type',
        'd',
        '!',
        '-path',
        '*/etc/passwd*',
        '!',
        '-path',
        '*/etc/group*',
      ]);
      expect(left.stdout).toBe('');
      for (const name of ['passwd', 'group']) {
        expect(await readFile(join(image.path, 'etc', name), 'utf8')).not.toContain('pult-agent');
      }
    },
    120_000,
  );
});
