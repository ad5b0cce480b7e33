import { createHash } from 'node:crypto';
import { type HttpClient, poll } from '@pult/testkit';
import { expect } from 'vitest';
import type { Site } from './site.ts';

/** Has the controller collect its diagnostics, and waits until they are there. */
export async function collectArchive({ api, serialNumber }: Pick<Site, 'api' | 'serialNumber'>) {
  const params = { serialNumber };
  await api.call('requestDiagnostic', { params });
  return poll(
    async () => {
      const [newest] = await api.call('listDiagnostics', { params });
      return newest?.status === 'ready' && newest;
    },
    { what: 'the archive is collected', timeoutMs: 60_000 },
  );
}

/** SHA-256 of the archive as a browser that has logged in gets it. */
export async function readArchiveDigest(
  id: string,
  { server }: Pick<Site, 'server'>,
  browser: HttpClient,
): Promise<string> {
  const answer = await browser.request(`${server.url}/api/v1/download/${id}`);
  expect(answer.status).toBe(200);
  const hash = createHash('sha256');
  for await (const chunk of answer.body) hash.update(chunk);
  return hash.digest('hex');
}
