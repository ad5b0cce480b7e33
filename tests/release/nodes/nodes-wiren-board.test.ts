import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import {
  createByteSource,
  freePort,
  HttpClient,
  makeDeviceCertificates,
  makeTempDir,
  poll,
  startWebServer,
  WirenBoardDevice,
} from '@pult/testkit';
import { expect, test } from 'vitest';
import { startNodes } from '../../interop/installation-of-nodes.ts';

// Its agent asks whichever node a balancer gives it, and its tunnel stays with one.
test('a Wiren Board controller whose tunnel is at one node is served, and sends its archive, by another one', async () => {
  await using folder = await makeTempDir('wiren-board');
  const certificates = await makeDeviceCertificates(folder.path);
  const proxySecret = randomBytes(32).toString('hex');
  await using web = await startWebServer();
  const tunnelPorts: number[] = [];
  await using installation = await startNodes(2, {
    env: async () => {
      const port = await freePort();
      tunnelPorts.push(port);
      return {
        WB_DEVICE_CA: certificates.bundlePath,
        WB_PROXY_SECRET: proxySecret,
        WB_TUNNEL_PORT: String(port),
        TRUSTED_PROXIES: '127.0.0.1',
      };
    },
  });
  const [first, second] = [installation.node(0), installation.node(1)];
  const serialNumber = 'A25NDEMJ';
  const certificate = await certificates.issue(serialNumber);
  const agentAt = ({ port }: { port: number }) =>
    new WirenBoardDevice(serialNumber, certificate, { port, isTls: false, proxySecret });
  const [near, far] = [agentAt(first), agentAt(second)];
  await near.startUp();
  const token = new URL(near.activationLink ?? '').searchParams.get('token') ?? '';
  const [organization] = await first.api.call('listOrganizations');
  await first.api.call('activateController', { body: { token, organization: organization?.id ?? '' } });
  await near.poll();
  await near.openTunnel({ 80: web.port });
  const params = { serialNumber };
  const statusAt = async ({ api }: typeof first) => (await api.call('getController', { params })).status;
  await expect.poll(() => statusAt(second)).toBe('online');

  const { tunnelRedirectUrl } = await second.api.call('openTunnel', {
    params: { ...params, protocol: 'http' },
  });
  const page = await new HttpClient({ port: second.port }).request(tunnelRedirectUrl, {
    followRedirects: true,
  });
  expect(await page.text()).toContain('<h1>Boiler room</h1>');

  expect((await far.startUp()).body).toMatchObject({ activated: true });
  const request = async () => {
    const asked = () => far.confirmed.filter((code) => code === 'fetch_diagnostics').length;
    const before = asked();
    await second.api.call('requestDiagnostic', { params });
    const isAsked = () => far.poll().then(() => asked() > before);
    await poll(isAsked, { what: 'the agent is asked for its diagnostics' });
  };
  const ended = async () => {
    const [newest] = await second.api.call('listDiagnostics', { params });
    return newest?.finished ? newest : false;
  };
  const upload = async (length: number) => {
    const archive = Buffer.concat([Buffer.from('PK\u0003\u0004'), await buffer(createByteSource(length))]);
    expect((await far.uploadDiagnostics(archive)).status).toBe(200);
    const sha256 = createHash('sha256').update(archive).digest('hex');
    expect(await poll(ended, { what: 'the diagnostics have ended' })).toMatchObject({
      status: 'ready',
      sha256,
    });
  };
  await request();
  await upload(3_000_000);

  // Its tunnel may have come to another node since it was asked.
  const findHolder = async () => (await installation.query('select held_by from controllers'))[0]?.held_by;
  const moveTo = async (index: number) => {
    await near.openTunnel({ 80: web.port }, { server_port: String(tunnelPorts[index]) });
    const id = await installation.node(index).getId();
    await poll(async () => (await findHolder()) === id, { what: 'its tunnel is at the other node' });
  };
  await request();
  await moveTo(1);
  await upload(2_000_000);
  await request();
  await moveTo(0);
  await far.call('PUT', 'diagnostic-status/', { body: JSON.stringify({ status: 'error' }) });
  expect(await poll(ended, { what: 'the diagnostics have ended' })).toMatchObject({ status: 'failed' });

  // Whoever has it forget this server may say so to any node.
  expect((await far.call('DELETE', 'delete-controller/')).status).toBe(204);
  await expect.poll(() => statusAt(first)).toBe('offline');
}, 120_000);
