import type { AddressInfo } from 'node:net';
import { CHALLENGE_PATH, refusalSchema } from '@pult/link';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHostServer } from '../../../platform/http/host-server.ts';
import { createLoadShedding } from './load-shedding.ts';

let isFull = false;
const { server, cutAll } = createHostServer((_, response) => response.end('{"nonce":""}'), {
  hosts: [createLoadShedding({ isFull: () => isFull }, { issueRetryAfter: () => 12 })],
  upgrades: [],
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.close();
  cutAll();
});

function ask(path: string): Promise<Response> {
  const { port } = server.address() as AddressInfo; // it listens on a port
  const body = '{"serialNumber":"A1B2C3D4"}';
  return fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body });
}

it('tells a device that finds no room at its first call when to retry', async () => {
  isFull = true;
  const answer = await ask(CHALLENGE_PATH);
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('12');
  expect(answer.headers.get('connection')).toBe('close');
  expect(refusalSchema.parse(await answer.json())).toMatchObject({ code: 'service_unavailable' });
  expect((await ask(`${CHALLENGE_PATH}?in-another-way`)).status).toBe(503);
});

it('lets everybody else in, and any device while there is room', async () => {
  isFull = true;
  expect((await ask('/api/v1/users/me/')).status).toBe(200);
  isFull = false;
  expect((await ask(CHALLENGE_PATH)).status).toBe(200);
});
