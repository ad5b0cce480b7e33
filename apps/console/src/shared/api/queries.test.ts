import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import {
  controllersTotalQuery,
  currentUserQuery,
  endingCertificatesQuery,
  environmentsQuery,
  organizationQuery,
  organizationsQuery,
} from './queries.ts';

/** A server that takes calls and answers none, and what was asked of it. */
function stubServer() {
  const stub = vi.fn((_url: string, _init: RequestInit) => new Promise<Response>(() => {}));
  vi.stubGlobal('fetch', stub);
  const client = new QueryClient();
  return { client, readCall: () => stub.mock.lastCall ?? [] };
}

type Ask = (client: QueryClient) => Promise<unknown>;
const asks: [address: string, ask: Ask][] = [
  ['/api/v1/environments/', (client) => client.fetchQuery(environmentsQuery)],
  ['/api/v1/users/me/', (client) => client.fetchQuery(currentUserQuery)],
  ['/api/v1/organizations/', (client) => client.fetchQuery(organizationsQuery)],
  ['/api/v1/organizations/o1/', (client) => client.fetchQuery(organizationQuery('o1'))],
  ['/api/v1/controllers-total-count/', (client) => client.fetchQuery(controllersTotalQuery)],
  ['/api/v1/ending-certificates/', (client) => client.fetchQuery(endingCertificatesQuery)],
];

test.each(asks)(
  'what many pages need is asked of %s, and no more once nobody waits for it',
  async (address, ask) => {
    const { client, readCall } = stubServer();
    const asked = ask(client).catch(() => 'cancelled');
    await vi.waitFor(() => expect(readCall()[0]).toBe(address));
    expect(readCall()[1]?.signal?.aborted).toBe(false);
    await client.cancelQueries();
    expect(readCall()[1]?.signal?.aborted).toBe(true);
    expect(await asked).toBe('cancelled');
  },
);

test('an organization that its page has just loaded is not asked for twice', async () => {
  const { client, readCall } = stubServer();
  const query = organizationQuery('o1');
  client.setQueryData(query.queryKey, { id: 'o1' } as never);
  expect(await client.fetchQuery(query)).toEqual({ id: 'o1' });
  expect(readCall()).toEqual([]);
});
