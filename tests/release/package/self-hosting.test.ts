import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Container,
  createApiClient,
  type DnsServer,
  findContainerObstacle,
  findKnot,
  findPebble,
  freePort,
  freePortRange,
  HttpClient,
  type Pebble,
  poll,
  ResourceStack,
  type RunCommandOptions,
  repositoryPath,
  startContainer,
  startDnsServer,
  startPebble,
  startWebServer,
  type WebServer,
} from '@pult/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { claimShown, openTunnel, type Site } from '../../interop/site.ts';
import { type CommandBlock, readCommands } from './document-commands.ts';
import { architecture, archiveName, debianName, findPackages, packagesObstacle } from './packages.ts';

/**
 * docs/self-hosting.md as an operator goes through it, on a machine of its own with an authority and a DNS server. Names are those of
 * the page; ports, keys and the address of the DNS server are those of the test.
 */

/** Commands of the page that are not run here, and why. */
const elsewhere: Record<string, string> = {
  'npm start': 'tests/interop/start.test.ts runs it',
  'npm run package': 'made what all the others are run with (packages.ts)',
  'npm run package -- --image': 'made what package.test.ts runs as a container',
  'gzip -dc pult-server-*.image.tar.gz | podman load': 'package.test.ts does it, into a store of its own',
  "printf '%s\\n' PUBLIC_URL=https://pult.example.com ADMIN_EMAIL=owner@example.com >pult.env":
    'package.test.ts gives the same variables',
  'PULT_VERSION=<version> podman-compose -f compose.yml up -d':
    'no compose is had here: package.test.ts starts the image as compose.yml says',
  'podman exec pult_pult_1 pult doctor': 'package.test.ts runs commands of administration in the container',
  'npm ci && npm run build': 'needs the registry of npm',
  'node apps/server/dist/main.js': 'how each other test of this folder starts the server',
};

const blocks = readCommands(await readFile(repositoryPath('docs/self-hosting.md'), 'utf8'));
const done = new Set<string>();

function take(heading: string, index = 0): string[] {
  const block = blocks.filter((each: CommandBlock) => each.heading === heading)[index];
  if (!block) throw new Error(`docs/self-hosting.md has no block ${index} of commands under “${heading}”`);
  for (const command of block.commands) done.add(command);
  return block.commands;
}

const key = {
  name: 'pult-key',
  algorithm: 'hmac-sha256',
  secret: Buffer.from('a key for tests of updates alone').toString('base64'),
};
const email = 'admin@example.com';
const password = 'correct horse battery';
const names = ['pult.example.com', 'a1b2--8080.http.pult.example.com'];

const obstacle =
  packagesObstacle ??
  findContainerObstacle() ??
  (findPebble() && findKnot() ? undefined : 'pebble and knotd are missing');

describe.skipIf(obstacle).sequential(`self-hosting${obstacle ? ` (not here: ${obstacle})` : ''}`, () => {
  const stack = new ResourceStack();
  let container: Container;
  let dns: DnsServer;
  let pebble: Pebble;
  let web: WebServer;
  let ca: string;
  let port: number;
  let url: string;
  let settings: string[];

  beforeAll(async () => {
    const made = findPackages();
    port = await freePort();
    url = `https://pult.example.com:${port}`;
    const { from, to } = await freePortRange(3);
    const records = ['pult A 127.0.0.1', '*.http.pult A 127.0.0.1'];
    dns = stack.use(await startDnsServer({ zones: { 'example.com': records }, key }));
    // The authority asks at the port of the test where it would ask at 443.
    pebble = stack.use(await startPebble({ httpPort: await freePort(), tlsPort: port, dnsPort: dns.port }));
    ca = await pebble.readRoot();
    web = stack.use(await startWebServer());
    container = stack.use(await startContainer({ isBooted: true }));
    for (const name of [`${archiveName}.tar.gz`, debianName('server'), debianName('agent')]) {
      await run(`cat >/root/${name}`, { input: await readFile(join(made, name)) });
    }
    await run('mkdir /etc/authority && cat >/etc/authority/ca.pem', { input: await readFile(pebble.caFile) });
    await run('cat >/etc/authority/root.pem', { input: ca });
    await run(`echo 127.0.0.1 pult.example.com >>/etc/hosts
      printf '#!/bin/sh\\nexec "$@"\\n' >/usr/local/bin/sudo && chmod +x /usr/local/bin/sudo
      ${['pult', 'pult-agent'].map((unit) => `mkdir -p /etc/systemd/system/${unit}.service.d`).join('; ')}
      printf '[Service]\\nEnvironment=${agentSettings().join(' ')}\\n' >/etc/systemd/system/pult-agent.service.d/test.conf`);
    settings = [
      `ACME_DIRECTORY=${pebble.directory}`,
      'ACME_CA_FILE=/etc/authority/ca.pem',
      `ADMIN_PASSWORD='${password}'`,
      'SSH_JUMP_PORT=0',
      `TUNNEL_PORTS=${from}-${to}`,
    ];
  }, 420_000);
  afterAll(() => stack[Symbol.asyncDispose]());
  // What a test that failed has left running would answer the next one.
  afterEach(() => run('for pid in /root/*/*/pid; do kill -KILL -- -$(cat $pid); done 2>/dev/null; :'));

  const agentSettings = () => [
    'PULT_CA=/etc/authority/root.pem',
    `PULT_HTTP=${web.address}`,
    'PULT_MQTT=off',
  ];

  async function run(script: string, options?: RunCommandOptions): Promise<string> {
    const { code, stdout, stderr } = await container.run(script, { timeoutMs: 120_000, ...options });
    if (code !== 0) throw new Error(`${script} ended with ${code}\n${stdout}${stderr}`);
    return stdout;
  }

  /** What is another here than on the machine that the page tells of. */
  const adapt = (command: string) =>
    command
      .replaceAll('https://pult.example.com', url)
      .replaceAll('PORT=443', `PORT=${port}`)
      .replaceAll('ns1.example.com', `127.0.0.1:${dns.port}`)
      .replaceAll('<base64>', key.secret)
      .replaceAll('-linux-x64', `-linux-${process.arch}`)
      .replaceAll('_amd64.deb', `_${architecture}.deb`)
      .replaceAll(/\bEMAIL\b/g, email);

  const inFolder = (folder: string, command: string, env: readonly string[] = []) =>
    `cd ${folder} && ${env.length > 0 ? `export ${env.join(' ')} && ` : ''}${adapt(command)}`;
  const withTrust = () => [...settings, 'NODE_EXTRA_CA_CERTS=/etc/authority/root.pem'];
  /** A command that stays, as in a terminal of its own. */
  const inBackground = async (folder: string, command: string, env: readonly string[]) => {
    await run(`cat >${folder}/begin`, { input: inFolder(folder, command, env) });
    await run(`setsid sh ${folder}/begin </dev/null >${folder}/output 2>&1 & echo $! >${folder}/pid`);
  };
  /** As a service manager does. */
  const end = (folder: string) =>
    run(`kill -- -$(cat ${folder}/pid); while pgrep -g $(cat ${folder}/pid); do sleep 0.2; done; :`);

  const isTrusted = (name: string) =>
    new HttpClient({ ca }).request(`https://${name}:${port}/readyz`).then(
      ({ body }) => {
        body.resume();
        return true;
      },
      () => false,
    );
  const waitForTrust = (which: readonly string[]) =>
    Promise.all(which.map((name) => poll(() => isTrusted(name), { what: name, timeoutMs: 180_000 })));

  /** Claims the controller that has shown these lines, and opens its web interface as a browser does. */
  async function openWebInterface(shown: () => Promise<string>): Promise<string> {
    const client = new HttpClient({ ca });
    const api = await createApiClient({ baseUrl: url, username: email, password, client });
    const text = await poll(
      async () => {
        const said = await shown();
        return said.includes('token=') && said;
      },
      { what: 'the agent shows its activation link', timeoutMs: 90_000 },
    );
    const site = await claimShown({ api, server: { port } } as Site, text);
    const browser = new HttpClient({ ca });
    const login = await browser.request(`${url}/api/v1/auth/token/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ username: email, password }),
    });
    expect(login.status, await login.text()).toBe(200);
    const { tunnelRedirectUrl } = await openTunnel(site, 'http');
    const page = await browser.request(tunnelRedirectUrl, { followRedirects: true });
    expect({ status: page.status, text: await page.text() }).toEqual({
      status: 200,
      text: expect.stringContaining('<h1>Boiler room</h1>'),
    });
    return page.url;
  }

  /** From the archive to a server that answers; where it is. */
  async function startArchive(parent: string, commands: readonly string[]): Promise<string> {
    let folder = parent;
    await run(`mkdir ${parent} && ln /root/${archiveName}.tar.gz ${parent}`);
    for (const command of commands) {
      if (command.startsWith('cd ')) folder = (await run(`${inFolder(folder, command)} && pwd`)).trim();
      else if (command.endsWith('pult start')) await inBackground(folder, command, settings);
      else await run(inFolder(folder, command, withTrust()));
    }
    return folder;
  }

  async function linkByArchive(folder: string): Promise<string> {
    const [command = ''] = take('Archive', 2);
    await run(`rm -rf /var/lib/pult-agent && mkdir -p ${folder}/agent`);
    await inBackground(`${folder}/agent`, command.replace('./pult', '../pult'), agentSettings());
    try {
      return await openWebInterface(() => run(`cat ${folder}/agent/output`));
    } finally {
      await end(`${folder}/agent`);
    }
  }

  test('five commands lead from the archive to https, with a trusted host name for the web interface of a controller', async ({
    annotate,
  }) => {
    const commands = take('Archive', 0);
    expect(commands).toHaveLength(5);
    const [doctor = '', ...before] = [...commands].reverse();
    const startedAt = performance.now();
    const folder = await startArchive('/root/names', before.reverse());
    await waitForTrust(names);
    const seconds = (performance.now() - startedAt) / 1000;
    await annotate(`from the archive to https with host names: ${seconds.toFixed(1)} s`);
    const { stdout } = await container.run(inFolder(folder, doctor, withTrust()));
    // Names are known to the authority here, and not to this machine's own DNS: what is said of them is left out.
    expect(stdout).toMatch(/^ok +certificate/m);
    expect(stdout).toMatch(/^ok +acme/m);
    expect(stdout).not.toMatch(/^(warn|fail) +(certificate|acme|database|disk|ports)/m);
    expect(await linkByArchive(folder)).toMatch(/^https:\/\/[^/]+\.http\.pult\.example\.com:/);
    await end(folder);
    // Well below what an operator waits for, on a machine that does other things too.
    expect(seconds).toBeLessThan(180);
  }, 300_000);

  test('three commands lead to https where web interfaces have ports', async () => {
    const commands = take('Archive', 1);
    expect(commands).toHaveLength(3);
    const folder = await startArchive('/root/ports', commands);
    await waitForTrust(names.slice(0, 1));
    const origin = new URL(await linkByArchive(folder));
    expect(origin.hostname).toBe('pult.example.com');
    expect(Number(origin.port)).not.toBe(port);
    await end(folder);
    await run('rm -rf /root/names /root/ports /var/lib/pult-agent');
  }, 300_000);

  test('the packages lead to the same, as services', async () => {
    for (const command of take('Debian packages', 0)) {
      if (command.includes('systemctl')) {
        await run(`printf '%s\\n' ${settings.map((line) => `"${line}"`).join(' ')} >>/etc/pult/pult.env`);
      }
      if (command.includes('doctor')) {
        await waitForTrust(names);
        const { stdout } = await container.run(inFolder('/root', command, withTrust()));
        expect(stdout).not.toMatch(/^(warn|fail) +(certificate|acme|database|disk|ports)/m);
      } else await run(inFolder('/root', command));
    }
    for (const command of take('Debian packages', 1)) await run(inFolder('/root', command));
    const page = await openWebInterface(async () => (await container.run('pult-agent status')).stdout);
    expect(page).toMatch(/^https:\/\/[^/]+\.http\.pult\.example\.com:/);
  }, 300_000);

  test('the commands of administration do what the page says, by the name that they have there', async () => {
    const pult = async (command: string) => container.run(inFolder('/root', command, withTrust()));
    const [grant = '', revoke = '', list = ''] = take('Administrators of the installation');
    expect(await pult(revoke)).toMatchObject({ code: 0 });
    expect(await pult(grant)).toMatchObject({ code: 0 });
    expect((await pult(list)).stdout).toContain(email);

    const client = new HttpClient({ ca });
    const api = await createApiClient({ baseUrl: url, username: email, password, client });
    await api.call('requestPasswordReset', { body: { email } });
    const [listMails = '', show = ''] = take('Mail');
    const id = await poll(async () => /^[0-9a-f-]{36}/m.exec((await pult(listMails)).stdout)?.[0], {
      what: 'the mail is listed',
    });
    expect((await pult(show.replace('ID', id))).stdout).toContain(`${url}/`);

    const [organization] = await api.call('listOrganizations');
    const [createToken = ''] = take('The first token');
    const first = createToken.replace('NAME', 'provisioning').replace('ID', organization?.id ?? '');
    const { stdout: made } = await pult(first);
    expect(made).toMatch(/^pult_svc_\w+\n$/);
    const asProgram = { headers: { authorization: `Bearer ${made.trim()}` } };
    expect(await (await client.request(`${url}/api/v1/users/me/`, asProgram)).json()).toMatchObject({
      serviceAccount: { name: 'provisioning' },
    });

    const [firstLogin = ''] = take('First account');
    // Its password is that of the settings.
    const nothing = { code: 1, stderr: expect.stringContaining('There is no /var/lib/pult/first-login') };
    expect(await pult(firstLogin)).toMatchObject(nothing);

    const [doctor = '', doctorJson = ''] = take('Doctor');
    expect((await pult(doctor)).stdout).toMatch(/^ok +database/m);
    expect(JSON.parse((await pult(doctorJson)).stdout)).toMatchObject({ findings: expect.anything() });
    const [support = ''] = take('Report a fault');
    expect(await pult(support)).toMatchObject({ code: 0 });
    expect(await run('ls /var/lib/pult')).toMatch(/^pult-support-.*\.tar\.gz$/m);
    const [check = ''] = take('Update');
    expect(await pult(check)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok +schema/m) });
  }, 180_000);

  test('no command of the page is left out without a reason', () => {
    const all = blocks.flatMap(({ commands }) => commands);
    expect(all.filter((command) => !done.has(command) && !(command in elsewhere))).toEqual([]);
    expect(Object.keys(elsewhere).filter((command) => !all.includes(command))).toEqual([]);
  });
});
