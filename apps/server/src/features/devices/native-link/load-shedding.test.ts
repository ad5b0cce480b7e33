import type { AddressInfo } from 'node:net';
import { CHALLENGE_PATH, refusalSchema } from '@pult/link';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHostServer } from '../../../platform/http/host-server.ts';
import { createLoadShedding } from './load-shedding.ts';

let isFull = false;
const { server, cutAll } = createHostServer((_, response) => response.end('{"nonce":""}'), {
  hosts: [createLoadShedding({ isFull: () => isFull, issueRetryAfter: () => 12 })],
  upgrades: [],
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.close();
  cutAll();
});

function ask(
  path: string,
  headers: Record<string, string> = {},
  body = '{"serialNumber":"A1B2C3D4"}',
): Promise<Response> {
  const { port } = server.address() as AddressInfo; // it listens on a port
  return fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body });
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

it('leaves a balancer its connection, which the next device is asked over', async () => {
  isFull = true;
  const answer = await ask(CHALLENGE_PATH, { 'x-forwarded-for': '192.0.2.1' });
  expect(answer.status).toBe(503);
  expect(answer.headers.get('connection')).toBe('keep-alive');
  const long = await ask(CHALLENGE_PATH, { 'x-forwarded-for': '192.0.2.1' }, 'x'.repeat(20_000));
  expect(long.headers.get('connection')).toBe('close');
});

it('lets everybody else in, and any device while there is room', async () => {
  isFull = true;
  expect((await ask('/api/v1/users/me/')).status).toBe(200);
  isFull = false;
  expect((await ask(CHALLENGE_PATH)).status).toBe(200);
});
