import { randomBytes } from 'node:crypto';
import {
  type Container,
  findContainerObstacle,
  findDebianRoot,
  findSealedNetworkObstacle,
  makeTempDir,
  poll,
  startContainer,
  startSealedNetwork,
} from '@pult/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  claimShown,
  getController,
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
  settingsOf,
} from './agent-installer.ts';

/** The agent on machines as they are in the field, each a container of its own with that system's files and systemd. */

const releases = [
  { name: 'Debian 11', release: 'bullseye' },
  { name: 'Debian 13', release: 'trixie' },
];
const commonObstacle =
  findContainerObstacle() ??
  ((await findRuntime('x64')) ? undefined : 'the registry does not give its Node.js');
const systems = await Promise.all(
  releases.map(async ({ name, release }) => {
    const base = commonObstacle ? undefined : await findDebianRoot(release);
    const obstacle = commonObstacle ?? (base ? undefined : 'the mirror does not give it');
    return { name, base, obstacle, title: obstacle ? `${name} (not here: ${obstacle})` : name };
  }),
);
const newest = systems.at(-1);

let site: Site;

beforeAll(async () => {
  if (commonObstacle) return;
  await packRuntime();
  site = await startSite({ serverEnv: { AGENT_RUNTIMES: runtimesFolder } });
}, 420_000);
afterAll(() => site?.[Symbol.asyncDispose]());

const writeSettings = (container: Container) =>
  must(container, `printf '%s' '${JSON.stringify(settingsOf(site))}' >/etc/pult-agent.json`);

const waitForOnline = (controller: Site) =>
  poll(async () => (await getController(controller)).status === 'online', {
    what: 'it is back',
    timeoutMs: 60_000,
  });

/** What the running agent says of itself, once it shows its link. */
const waitForActivation = (container: Container) =>
  poll(
    async () => {
      const { stdout } = await container.run('pult-agent status');
      return stdout.includes('token=') && stdout;
    },
    { what: 'the agent shows its link', timeoutMs: 60_000 },
  );

for (const { base, obstacle, title } of systems) {
  describe.skipIf(obstacle)(title, () => {
    let container: Container;
    let controller: Site;

    beforeAll(async () => {
      container = await startContainer({ isBooted: true, base: base ?? '' });
      await writeSettings(container);
    }, 180_000);
    afterAll(() => container?.stop());

    test('the agent is installed by its systemd without rights, is claimed, and carries a page', async () => {
      controller = await claimShown(site, await must(container, installLine(site)));
      await openWebInterface(controller);
      const pid = (await must(container, 'systemctl show -p MainPID pult-agent'))
        .trim()
        .slice('MainPID='.length);
      expect(await must(container, `readlink /proc/${pid}/exe; grep ^CapEff /proc/${pid}/status`)).toMatch(
        /^\/usr\/lib\/pult-agent\/node\nCapEff:\t0+\n$/,
      );
      // What of the unit this systemd does not know it says in its journal.
      expect(await must(container, 'journalctl -b --no-pager')).not.toMatch(
        /pult-agent\.service:\d+: Unknown/,
      );
      expect(await must(container, 'pult-agent doctor')).not.toMatch(/^NO/m);
    }, 180_000);

    test('the agent comes back after a kill, is installed over, and leaves nothing behind', async () => {
      await must(container, 'systemctl kill --kill-who=main -s KILL pult-agent');
      await waitForStatus(controller, 'offline');
      await waitForOnline(controller);
      expect(await must(container, installLine(site))).toContain(
        `serial number: ${controller.serialNumber}\n`,
      );
      await waitForOnline(controller);
      await must(container, installLine(site, '--uninstall'));
      await poll(async () => (await getController(controller)).status === 'offline', { what: 'it is gone' });
      const left =
        'ls -d /usr/lib/pult-agent /var/lib/pult-agent /etc/pult-agent.json /usr/bin/pult-agent; id pult-agent';
      expect((await container.run(left)).stdout).toBe('');
    }, 180_000);
  });
}

describe.skipIf(newest?.obstacle)(`a root that is read-only, with ${newest?.title}`, () => {
  let data: Awaited<ReturnType<typeof makeTempDir>>;
  let container: Container | undefined;

  beforeAll(async () => {
    data = await makeTempDir('data-partition');
  });
  afterAll(async () => {
    await container?.stop();
    await data?.remove();
  });

  /** The image as it was made, and the data partition as the time before has left it. */
  const boot = () =>
    startContainer({
      isBooted: true,
      base: newest?.base ?? '',
      prepare: `printf '%s' '${JSON.stringify(settingsOf(site))}' >$ROOT/etc/pult-agent.json
        export PULT_ROOT=$ROOT PULT_ARCH=x64; ${installLine(site)}`,
      options: [
        '--read-only',
        `--bind=${data.path}:/var/lib/pult-agent`,
        `--uuid=${randomBytes(16).toString('hex')}`,
      ],
    });

  test('an agent in the image runs at its first start, and is the same one after the next, whose machine id is another', async () => {
    container = await boot();
    expect((await container.run('touch /etc/x')).code).not.toBe(0);
    const controller = await claimShown(site, await waitForActivation(container));
    await openWebInterface(controller);
    const id = await must(container, 'cat /etc/machine-id');
    await container.stop();
    await waitForStatus(controller, 'offline');

    container = await boot();
    expect(await must(container, 'cat /etc/machine-id')).not.toBe(id);
    await waitForOnline(controller);
    const shown = await must(container, 'pult-agent status');
    expect(shown).toContain(`serial number: ${controller.serialNumber}\n`);
    expect(shown).not.toContain('token=');
    await openWebInterface(controller);
    expect(await must(container, 'pult-agent doctor')).not.toMatch(/^NO/m);
  }, 240_000);

  test('the script says that the root cannot be written, and what to do', async () => {
    if (!container) throw new Error('nothing was started');
    expect(await container.run(installLine(site))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cannot be written\. .* mount -o remount,rw \/ .*PULT_ROOT/),
    });
  }, 60_000);
});

const sealedObstacle = newest?.obstacle ?? findSealedNetworkObstacle();

const sealedTitle = `a network of IPv6${sealedObstacle ? ` (not here: ${sealedObstacle})` : ''}`;

describe.skipIf(sealedObstacle)(sealedTitle, () => {
  test('the agent is installed and linked where the server is reached by IPv6 alone', async () => {
    await using network = await startSealedNetwork();
    await network.bring(site.server.port, '::1');
    for (const address of [site.web.address, site.ssh.address])
      await network.bring(Number(address.split(':')[1]));
    await using container = await startContainer({
      isBooted: true,
      base: newest?.base ?? '',
      prepare: 'echo "::1 localhost" >$ROOT/etc/hosts',
      options: [`--network-namespace-path=${network.path}`],
    });
    await writeSettings(container);
    expect((await container.run(`curl -4 -fsS ${site.server.url}/healthz`)).code).not.toBe(0);
    const controller = await claimShown(site, await must(container, installLine(site)));
    await openWebInterface(controller);
    const doctor = await must(container, 'pult-agent doctor');
    expect(doctor).toMatch(/^ok {3}DNS localhost: .*::1/m);
    expect(doctor).not.toMatch(/127\.0\.0\.1.*localhost/);
    expect(doctor).not.toMatch(/^NO/m);
  }, 180_000);
});
