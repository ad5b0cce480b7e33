import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  builtPath,
  type DeviceCertificate,
  type DeviceCertificates,
  freePort,
  HttpClient,
  makeCertificate,
  makeDeviceCertificates,
  makeTempDir,
  makeTestCertificate,
  ResourceStack,
  repositoryPath,
  runCommand,
  type ServerProcess,
  startHaproxy,
  startNginx,
  startWebServer,
  type TestCertificate,
  WirenBoardDevice,
} from '@pult/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBalancer } from './balancer.ts';
import { startLightServer } from './light-server.ts';
import { readHaproxy, readNginx, replaceAll } from './shipped-proxies.ts';

// What a stranger says of themselves, through the proxies of the documentation.

const stack = new ResourceStack();
let folder: Awaited<ReturnType<typeof makeTempDir>>;
let certificate: TestCertificate;
let factory: DeviceCertificates;
const proxySecret = randomBytes(32).toString('base64');

beforeAll(async () => {
  folder = await makeTempDir('proxies');
  stack.use({ [Symbol.asyncDispose]: () => folder.remove() });
  certificate = await makeTestCertificate(folder.path, ['localhost', 'agent.localhost', '*.http.localhost']);
  factory = await makeDeviceCertificates(folder.path);
}, 60_000);
afterAll(() => stack[Symbol.asyncDispose]());

describe.each(['nginx', 'haproxy', 'haproxy-several'] as const)('deploy/%s', (name) => {
  test('the proxy passes on nothing that a stranger says of who and where they are', async () => {
    await using web = await startWebServer();
    const port = await freePort();
    const place = { port, upstreamPort: web.port, certificate };
    await using _proxy =
      name === 'nginx'
        ? await startNginx(await readNginx(place), port)
        : name === 'haproxy'
          ? await startHaproxy(await readHaproxy(place), port)
          : await startBalancer(port, [web.port, web.port, web.port]);
    const { leaf } = await factory.issue('FORGED1');
    const localAddress = '127.0.0.9';
    const forged = {
      'X-SSL-Client-Verify': 'SUCCESS',
      'X-SSL-Client-Cert': encodeURIComponent(leaf),
      'X-Forwarded-For': '6.6.6.6',
      'X-Forwarded-Proto': 'gopher',
      'X-Forwarded-Host': 'evil.example',
      'X-Real-IP': '6.6.6.6',
      Forwarded: 'for=6.6.6.6;host=evil.example',
    };
    const isPlain = name === 'haproxy-several';
    const visitor = new HttpClient({ localAddress, port, ...(isPlain ? {} : { ca: certificate.ca }) });
    const answer = await visitor.request(`http${isPlain ? '' : 's'}://localhost/headers`, {
      headers: forged,
    });
    const { rawHeaders } = (await answer.json()) as { rawHeaders: string[] };
    const names = Object.keys(forged).map((each) => each.toLowerCase());
    const passed = rawHeaders.flatMap((each, index) =>
      index % 2 === 0 && names.includes(each.toLowerCase())
        ? [`${each.toLowerCase()}: ${rawHeaders[index + 1]}`]
        : [],
    );
    expect(passed.sort()).toEqual([`x-forwarded-for: ${localAddress}`, 'x-forwarded-proto: https']);
  });
});

/** The blocks of the documentation's page in that language, for names and files of the tests. */
async function readBlocks(language: string): Promise<string[]> {
  const page = await readFile(repositoryPath('docs/wiren-board.md'), 'utf8');
  return [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, name]) => name === language)
    .map(([, , block = '']) => block);
}

async function startNginxForAgents(port: number, upstreamPort: number) {
  const [server = ''] = await readBlocks('nginx');
  const forAgents = replaceAll(server, {
    'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
    'agent.pult.example.com': 'agent.localhost',
    '/etc/pult/cert.pem': certificate.certPath,
    '/etc/pult/key.pem': certificate.keyPath,
    '/etc/pult/wiren-board.pem': factory.bundlePath,
    '<key>': proxySecret,
  });
  return startNginx(`${await readNginx({ port, upstreamPort, certificate })}\n${forAgents}`, port);
}

async function startHaproxyForAgents(port: number, upstreamPort: number) {
  const [[list = ''], [line = '']] = [await readBlocks('list'), await readBlocks('cfg')];
  const listPath = join(folder.path, 'pult.list');
  const names = {
    'agent.pult.example.com': 'agent.localhost',
    '/etc/pult/pult.pem': certificate.bundlePath,
    '/etc/pult/wiren-board.pem': factory.bundlePath,
  };
  await writeFile(listPath, replaceAll(list, names));
  const clearing = '  http-request del-header X-SSL-Client- -m beg\n';
  const config = replaceAll(await readHaproxy({ port, upstreamPort, certificate }), {
    [`ssl crt ${certificate.bundlePath}`]: `ssl crt-list ${listPath}`,
    [clearing]: clearing + replaceAll(line, { '<key>': proxySecret }),
  });
  return startHaproxy(config, port);
}

describe.each([
  ['nginx', startNginxForAgents],
  ['HAProxy', startHaproxyForAgents],
] as const)('a server behind %s that asks controllers for their certificates', (_, start) => {
  const own = new ResourceStack();
  let server: ServerProcess;
  let port: number;
  let env: Record<string, string>;

  beforeAll(async () => {
    port = await freePort();
    env = {
      PORT: String(await freePort()),
      PUBLIC_URL: `https://localhost:${port}`,
      TRUSTED_PROXIES: '127.0.0.1',
      WB_DEVICE_CA: factory.bundlePath,
      WB_PROXY_SECRET: proxySecret,
      WB_TUNNEL_PORT: String(await freePort()),
    };
    server = own.use(await startLightServer({ port: Number(env.PORT), env }));
    own.use(await start(port, server.port));
  }, 120_000);
  afterAll(() => own[Symbol.asyncDispose]());

  const deviceWith = (serialNumber: string, theirs: DeviceCertificate) =>
    new WirenBoardDevice(serialNumber, theirs, { port, isTls: true });

  test('a controller with the certificate of the factory is known, whatever it writes into the header', async () => {
    const theirs = await factory.issue('BEHIND1');
    const other = await factory.issue('BEHIND2');
    const device = deviceWith('BEHIND1', theirs);
    await device.startUp();
    expect(device.activationLink).toContain('token=');
    const before = device.activationLink;
    const headers = { 'x-ssl-client-cert': encodeURIComponent(other.leaf), 'x-ssl-client-verify': 'SUCCESS' };
    const { status, body } = await device.call('GET', 'agent-start-up/', { headers });
    expect([status, body]).toEqual([200, { activated: false, activationLink: before }]);
  });

  /** A request over TLS for one name whose host is another one. */
  async function ask(servername: string, own: { cert?: string; key?: string } = {}) {
    const { leaf } = await factory.issue('BEHIND3');
    const asked = request({
      ...{ port, host: '127.0.0.1', servername, rejectUnauthorized: false, agent: false, ...own },
      path: '/api-agent/v1/agent-start-up/',
      headers: {
        host: 'agent.localhost',
        'x-ssl-client-verify': 'SUCCESS',
        'x-ssl-client-cert': encodeURIComponent(leaf),
      },
    });
    asked.end();
    return once(asked, 'response').then(
      async ([response]) => ({ status: response.statusCode as number, body: await text(response) }),
      () => ({ status: 0, body: '' }),
    );
  }

  test('a stranger with the public certificate of a controller is known by no name of the proxy', async () => {
    const [keyPath, certPath] = [join(folder.path, 'own-key.pem'), join(folder.path, 'own.pem')];
    await makeCertificate({ subject: '/CN=wirenboard-BEHIND3', keyPath, certPath });
    const selfSigned = { cert: await readFile(certPath, 'utf8'), key: await readFile(keyPath, 'utf8') };
    const answers = [
      await ask('localhost'),
      await ask('agent.localhost'),
      await ask('localhost', selfSigned),
      await ask('agent.localhost', selfSigned),
    ];
    for (const { status, body } of answers) {
      // By the proxy, or by a server that has seen no certificate at all.
      expect([0, 400, 401, 421]).toContain(status);
      expect(body).not.toContain('certificate_header_refused');
    }
  });

  test('the doctor finds that no forged certificate comes through', async () => {
    const program = [builtPath('apps/server/dist/pult.js'), 'doctor', '--json'];
    const { stdout } = await runCommand(process.execPath, program, {
      env: { ...env, DATA_DIR: server.dataDir, SSH_JUMP_PORT: '0' },
    });
    const { findings } = JSON.parse(stdout) as {
      findings: { check: string; status: string; text: string }[];
    };
    expect(findings.filter(({ check }) => check === 'proxy')).toContainEqual({
      check: 'proxy',
      status: 'ok',
      text: 'passes on no certificate that a stranger has put into a header',
    });
  });
});
