import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createApiClient,
  freePort,
  HttpClient,
  makeTempDir,
  poll,
  RunningProcess,
  repositoryPath,
} from '@pult/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** `npm run demo` with a small fleet. The steps build on each other. */

const size = 60;
let folder: Awaited<ReturnType<typeof makeTempDir>>;
let dataDir: string;
let port: number;
let demo: RunningProcess;

function startDemo(...args: string[]): RunningProcess {
  return new RunningProcess({
    name: 'demo',
    command: process.execPath,
    args: [repositoryPath('tools/run.mjs'), 'demo', '--controllers', String(size), ...args],
    env: { PORT: String(port), DATA_DIR: dataDir },
  });
}

async function logIn() {
  const password = await readFile(join(dataDir, 'demo', 'password'), 'utf8');
  return createApiClient({ baseUrl: `http://localhost:${port}`, username: 'demo@example.com', password });
}

/** The processes below the demo's, at any depth, that live now. */
function listDescendants(): number[] {
  const all = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const found = [demo.pid];
  for (const parent of found) {
    for (const [pid = 0, above] of all) if (above === parent) found.push(pid);
  }
  return found.slice(1);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

beforeAll(async () => {
  folder = await makeTempDir('demo');
  dataDir = join(folder.path, 'data');
  port = await freePort();
  demo = startDemo();
  await demo.waitForLine(/Ctrl\+C stops everything/, { timeoutMs: 180_000 });
}, 200_000);
afterAll(async () => {
  await demo?.stop(30_000);
  await folder?.remove();
}, 60_000);

test('it prints where to go, who to be and what to try', () => {
  expect(demo.hasLine(new RegExp(`Address: +http://localhost:${port}`))).toBe(true);
  expect(demo.hasLine(/Login: +demo@example\.com/)).toBe(true);
  // No terminal reads it here.
  expect(demo.hasLine(new RegExp(`Password: +in ${dataDir}/demo/password$`))).toBe(true);
});

test('the organization has a tree of groups and controllers in all states, the simulated ones said to be so', async () => {
  const api = await logIn();
  const count = await api.call('countControllers', { query: {} });
  expect(count.count).toBe(size + 3);
  expect(count.countOnline).toBeGreaterThan(size / 2);
  expect(count.countOffline).toBeGreaterThan(0);
  const groups = await api.call('listGroups', { query: {} });
  expect(groups.map(({ name }) => name)).toEqual(expect.arrayContaining(['Россия', 'Europe']));
  const { results } = await api.call('listControllers', { query: { page_size: 5000 } });
  const simulated = results.filter(({ serialNumber }) => !serialNumber.startsWith('DEMO-'));
  expect(simulated).toHaveLength(size);
  for (const { model } of simulated) expect(model).toContain('(simulated)');
  expect(simulated.filter(({ latitude }) => latitude !== null).length).toBeGreaterThan(size * 0.8);
});

test.each([
  ['a real agent', 'DEMO-BOILER', /Boiler|Отопление/, /Simulated controller/],
  ['a simulated one', undefined, /Simulated controller/, /nothing such/],
])('the web interface of %s opens through a tunnel', async (_, named, shown, hidden) => {
  const api = await logIn();
  const { results } = await api.call('listControllers', { query: { status: 'online', page_size: 5000 } });
  const other = results.find((each) => each.model.includes('simulated'));
  const serialNumber = named ?? other?.serialNumber ?? '';
  const { tunnelRedirectUrl } = await api.call('openTunnel', { params: { serialNumber, protocol: 'http' } });
  const answer = await new HttpClient().request(tunnelRedirectUrl, { followRedirects: true });
  const page = await answer.text();
  expect(answer.status).toBe(200);
  expect(page).toMatch(shown);
  expect(page).not.toMatch(hidden);
});

test('a real agent tells the values that its web page shows', async () => {
  const api = await logIn();
  const params = { serialNumber: 'DEMO-BOILER' };
  const supply = await poll(
    async () => {
      const { devices } = await api.call('getLastMqttData', { params });
      const heating = devices.find(({ id }) => id === 'heating');
      return heating?.controls.find(({ id }) => id === 'supply');
    },
    { what: 'the values arrive' },
  );
  expect(supply).toMatchObject({ type: 'temperature', units: 'deg C' });
  expect(Number(supply.value)).toBeGreaterThan(40);
});

test('the organization is not named like the product', async () => {
  const api = await logIn();
  const [organization] = await api.call('listOrganizations');
  expect(organization?.name).toBe('Aurora Facilities');
});

test.each(['DEMO-BOILER', 'DEMO-PUMP', 'DEMO-SCHOOL'])(
  '%s has measurements of a day, which change',
  async (serialNumber) => {
    const api = await logIn();
    const stop = new Date();
    const start = new Date(stop.getTime() - 24 * 3600_000);
    const body = { name: 'cpu_usage', start: start.toISOString(), stop: stop.toISOString() } as const;
    const points = await api.call('querySystemMetrics', { params: { serialNumber }, body });
    expect(points.length).toBeGreaterThan(80);
    expect(new Set(points.map(({ value }) => value.toFixed(1))).size).toBeGreaterThan(10);
  },
);

test('the log tells of an agent when its page says that it was added', async () => {
  const api = await logIn();
  const [organization] = await api.call('listOrganizations');
  const { activatedAt } = await api.call('getController', { params: { serialNumber: 'DEMO-BOILER' } });
  const params = { organizationId: organization?.id ?? '' };
  const query = { action: 'controller.activated', subject: 'DEMO-BOILER' };
  const { results } = await api.call('listAuditEvents', { params, query });
  const [event] = results;
  expect(Math.abs(Date.parse(event?.at ?? '') - Date.parse(activatedAt))).toBeLessThan(60_000);
});

test('nobody has added a controller before there was an organization, and who owns it', async () => {
  const api = await logIn();
  const [organization] = await api.call('listOrganizations');
  const params = { organizationId: organization?.id ?? '' };
  const { results } = await api.call('listControllers', { query: { page_size: 5000 } });
  const oldest = Math.min(...results.map(({ activatedAt }) => Date.parse(activatedAt)));
  const members = await api.call('listMembers', { params });
  for (const { joinedAt } of members) expect(Date.parse(joinedAt)).toBeLessThan(oldest);
  const { results: organizations } = await api.call('listInstallationOrganizations', { query: {} });
  for (const { createdAt } of organizations) expect(Date.parse(createdAt)).toBeLessThan(oldest);
});

test('a simulated controller has measurements of a day', async () => {
  const api = await logIn();
  const { results } = await api.call('listControllers', { query: { status: 'online', page_size: 5000 } });
  const stop = new Date();
  const start = new Date(stop.getTime() - 24 * 3600_000);
  const simulated = results.find(
    ({ model, activatedAt }) => model.includes('(simulated)') && new Date(activatedAt) < start,
  );
  const params = { serialNumber: simulated?.serialNumber ?? '' };
  const body = { name: 'temperature', start: start.toISOString(), stop: stop.toISOString() } as const;
  const points = await poll(
    async () => {
      const found = await api.call('querySystemMetrics', { params, body });
      return found.length > 80 && found;
    },
    { what: 'the measurements arrive' },
  );
  for (const { value } of points) expect(value).toBeGreaterThan(35);
});

test('a second demo says that the port is in use, or that one runs on this folder', async () => {
  const second = startDemo();
  expect((await second.exited).code).toBe(1);
  expect(second.hasLine(new RegExp(`Port ${port} is in use`))).toBe(true);
  const usual = port;
  port = await freePort();
  const elsewhere = startDemo('--fresh');
  expect((await elsewhere.exited).code).toBe(1);
  expect(elsewhere.hasLine(new RegExp(`running already \\(process ${demo.pid}\\)`))).toBe(true);
  port = usual;
});

test('it stops by a signal and leaves nothing running', async () => {
  const running = listDescendants();
  // The server, its database, three agents and the devices.
  expect(running.length).toBeGreaterThan(5);
  const { code } = await demo.stop(30_000);
  expect(code).toBe(0);
  await poll(async () => !running.some(isAlive), { what: 'nothing is left running' });
}, 60_000);

test('a second start keeps what people changed and brings back what they deleted', async () => {
  demo = startDemo();
  await demo.waitForLine(/Ctrl\+C stops everything/, { timeoutMs: 120_000 });
  let api = await logIn();
  const { results } = await api.call('listControllers', { query: { page_size: 5000 } });
  const [changed, deleted] = results.filter(({ model }) => model.includes('simulated'));
  if (!changed || !deleted) throw new Error('there is no fleet');
  const { serialNumber } = changed;
  await api.call('updateController', { params: { serialNumber }, body: { description: 'Changed by hand' } });
  await api.call('deleteController', { params: { serialNumber: deleted.serialNumber } });
  await demo.stop(30_000);
  demo = startDemo();
  await demo.waitForLine(/Ctrl\+C stops everything/, { timeoutMs: 120_000 });
  api = await logIn();
  const kept = await api.call('getController', { params: { serialNumber } });
  expect(kept.description).toBe('Changed by hand');
  expect((await api.call('countControllers', { query: {} })).count).toBe(size + 3);
}, 300_000);

test('a demo of two nodes goes on when one of them is killed, its devices at the other one', async () => {
  await demo.stop(30_000);
  demo = startDemo('--nodes', '2');
  await demo.waitForLine(/Ctrl\+C stops everything/, { timeoutMs: 180_000 });
  const [, , killed = ''] = await demo.waitForLine(/the nodes are the processes (\d+), (\d+)/);
  process.kill(Number(killed), 'SIGKILL');
  const params = { serialNumber: 'DEMO-BOILER', protocol: 'http' };
  const isServed = async () => {
    const { tunnelRedirectUrl } = await (await logIn()).call('openTunnel', { params });
    const answer = await new HttpClient().request(tunnelRedirectUrl, { followRedirects: true });
    return answer.status === 200 && /Boiler|Отопление/.test(await answer.text());
  };
  const patience = { what: 'the web interface is served', timeoutMs: 60_000, intervalMs: 500 };
  await poll(() => isServed().catch(() => false), patience);
}, 300_000);

test('a data folder that is not the demo’s is left alone, --fresh or not', async () => {
  const own = dataDir;
  dataDir = join(folder.path, 'other');
  await mkdir(dataDir);
  await writeFile(join(dataDir, 'secrets.json'), '{}');
  const usual = port;
  port = await freePort();
  const refused = startDemo('--fresh');
  expect((await refused.exited).code).toBe(1);
  expect(refused.hasLine(/is left alone/)).toBe(true);
  expect(await readdir(dataDir)).toEqual(['secrets.json']);
  await rm(dataDir, { recursive: true });
  [dataDir, port] = [own, usual];
}, 60_000);
