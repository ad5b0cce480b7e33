import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { Diagnostic } from '@pult/contract';
import { poll } from '@pult/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLightSite } from './light-server.ts';
import { claim, logIn, type Site, waitForStatus } from './site.ts';

// The built server and the built agent as processes of their own. The steps build on each other.
describe.sequential('diagnostics of a controller', () => {
  let site: Site;

  beforeAll(async () => {
    site = await startLightSite();
    await claim(site);
  }, 120_000);
  afterAll(() => site?.[Symbol.asyncDispose]());

  const params = () => ({ serialNumber: site.serialNumber });
  const list = () => site.api.call('listDiagnostics', { params: params() });
  const waitForEnd = (): Promise<Diagnostic> =>
    poll(
      async () => {
        const [newest] = await list();
        return newest?.finished ? newest : false;
      },
      { what: 'the diagnostics have ended', timeoutMs: 60_000 },
    );

  async function download(id: string): Promise<Buffer> {
    const browser = await logIn(site);
    const answer = await browser.request(`${site.server.url}/api/v1/download/${id}`);
    expect(answer.status).toBe(200);
    const chunks: Buffer[] = [];
    for await (const chunk of answer.body) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  // spec: 1.10
  test('diagnostics of a controller are requested, collected by the agent, and downloaded with the right checksum', async () => {
    const requested = await site.api.call('requestDiagnostic', { params: params() });
    expect(requested.status).toBe('requested');
    const ready = await waitForEnd();
    expect(ready).toMatchObject({ id: requested.id, status: 'ready', reason: null });
    expect(await site.api.call('getDiagnostic', { params: params() })).toMatchObject({
      id: requested.id,
      status: 'ready',
    });
    const archive = await download(ready.id);
    expect(archive.length).toBe(ready.size);
    expect(createHash('sha256').update(archive).digest('hex')).toBe(ready.sha256);
    const text = gunzipSync(archive).toString('latin1');
    expect(text).toContain('memory/meminfo.txt');
    expect(text).toContain('link: connected');
    // The link that claims a controller has a token.
    expect(text).not.toContain((await site.agent.waitForActivation()).token);
  });

  test('wait for an agent that is away, and begin when it is back', async () => {
    await site.agent.halt();
    await waitForStatus(site, 'offline');
    await site.api.call('requestDiagnostic', { params: params() });
    expect(await site.api.call('getDiagnostic', { params: params() })).toMatchObject({ status: 'requested' });
    await expect(site.api.call('requestDiagnostic', { params: params() })).rejects.toMatchObject({
      status: 409,
      code: 'diagnostic_in_progress',
    });
    site.agent.start();
    const ready = await waitForEnd();
    expect(ready).toMatchObject({ status: 'ready' });
    expect(
      createHash('sha256')
        .update(await download(ready.id))
        .digest('hex'),
    ).toBe(ready.sha256);
    expect(await list()).toHaveLength(2);
  });

  test('survive a server that is killed while they wait', async () => {
    await site.agent.halt();
    await waitForStatus(site, 'offline');
    await site.api.call('requestDiagnostic', { params: params() });
    await site.server.kill();
    await site.server.start();
    expect(await site.api.call('getDiagnostic', { params: params() })).toMatchObject({ status: 'requested' });
    site.agent.start();
    expect(await waitForEnd()).toMatchObject({ status: 'ready' });
  });
});
