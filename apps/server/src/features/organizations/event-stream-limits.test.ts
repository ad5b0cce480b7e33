import { limits } from '@pult/contract';
import { createListeningServer, type ListeningServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Scope } from '../../platform/access/index.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { createId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import { listenToEvents } from './event-stream.fixture.ts';
import { createOpenEventStreams } from './open-event-streams.ts';

let server: ListeningServer;
beforeAll(async () => {
  server = await createListeningServer();
});
afterAll(() => server.close());

const person: Omit<Principal, 'userId' | 'sessionId'> = {
  email: 'part@example.com',
  locale: 'en',
  hasTotp: false,
  isAdministrator: false,
  mayEnterTotpOrganizations: true,
  hasGrants: true,
  sessionExpiresAt: new Date(),
};

const listen = ({ cookie }: TestUser, organization: string) =>
  listenToEvents(server.port, organization, { cookie });

test('streams of one user are limited in all organizations together, and another user has their own', async () => {
  const owner = await server.createUser();
  const [one, two] = [await server.createOrganization(owner), await server.createOrganization(owner)];
  const other = await server.createUser();
  await server.addMember(one, other, 'viewer');
  const open: Awaited<ReturnType<typeof listen>>[] = [];
  for (let count = 0; count < limits.eventStreamsPerUser; count += 1) {
    open.push(await listen(owner, count % 2 === 0 ? one : two));
  }
  expect(open.map(({ response }) => response.statusCode)).toEqual(open.map(() => 200));
  const refused = await listen(owner, one);
  expect(refused.response.statusCode).toBe(409);
  await expect.poll(() => refused.hasEnded).toBe(true);
  expect(JSON.parse(refused.text)).toMatchObject({ code: 'event_streams_limit_reached' });
  open.push(await listen(other, one));
  expect(open.at(-1)?.response.statusCode).toBe(200);

  open[0]?.response.destroy();
  await expect.poll(async () => (await listen(owner, one)).response.statusCode).toBe(200);
  for (const each of open) each.response.destroy();
});

test('streams of one part are looked up once for each message, and each part by itself', async () => {
  const listVisible = vi.fn(
    async (_scope: Scope, _organizationId: string, serialNumbers: readonly string[]) => {
      return new Set(serialNumbers.filter((serialNumber) => serialNumber !== 'HIDDEN'));
    },
  );
  const streams = createOpenEventStreams(
    { events: server.server.events, log: createLog('silent'), clock: server.clock },
    {
      repository: { listVisible, listChanged: async () => [] },
    },
  );
  const choosers = ['one', 'one', 'two'].map((userId) =>
    streams.chooseFor({ ...person, userId, sessionId: createId() }, 'organization')(true),
  );
  const change = { text: '{}', isOfTree: false, isTelemetry: false };
  for (const message of [1, 2]) {
    const changes = ['SHOWN', 'HIDDEN'].map((serialNumber) => ({ ...change, serialNumber }));
    const told = await Promise.all(choosers.map((choose) => choose?.(changes)));
    expect(told).toEqual(choosers.map(() => [changes[0]]));
    expect(listVisible).toHaveBeenCalledTimes(message * 2);
  }
});
