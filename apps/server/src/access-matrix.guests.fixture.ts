import type { CreatedGuestLink, RouteName } from '@pult/contract';
import { createTestController, type TestServer } from '@pult/testkit/in-process';
import { type Entry, type Matrix, ownAffair } from './access-matrix.organizations.fixture.ts';

/** A controller whose device is linked, as far as anyone asks. */
export async function prepareLinkedController({ server, organization }: Matrix) {
  const { serialNumber, enrolmentId } = await createTestController(server, { organizationId: organization });
  let end = () => {};
  const closed = new Promise<'shutdown'>((resolve) => {
    end = () => resolve('shutdown');
  });
  // Only that there is one is looked at.
  const link = { closed, close: end, goAway: end } as unknown as Parameters<
    TestServer['server']['links']['add']
  >[1];
  server.server.links.add(enrolmentId, link);
  return { params: { serialNumber, protocol: 'ssh' } };
}

/** The calls about guests. */
export function createGuestEntries(matrix: () => Matrix) {
  const outsider = 'controller_not_found';

  const cookies = new Map<string, string>();

  function newLink() {
    const expiresAt = new Date(matrix().server.clock.now().getTime() + 3600_000).toISOString();
    return { service: 'ssh', name: 'Guest', expiresAt };
  }

  async function addLink() {
    const { server, members } = matrix();
    const { params } = await prepareLinkedController(matrix());
    await server.db.deleteFrom('rate_limits').execute();
    const made = await server.call('createGuestLink', { as: members.owner, params, body: newLink() });
    return { params, link: made.body as CreatedGuestLink };
  }

  return {
    listGuestLinks: { prepare: async () => ({ params: (await addLink()).params }), outsider },
    listOrganizationGuestLinks: {
      prepare: async () => {
        await addLink();
        return { params: { organizationId: matrix().organization } };
      },
      outsider: 'organization_not_found',
    },
    createGuestLink: {
      prepare: async () => ({ params: (await addLink()).params, body: newLink() }),
      outsider,
    },
    deleteGuestLink: {
      async prepare() {
        const { params, link } = await addLink();
        return { params: { ...params, linkId: link.id } };
      },
      outsider,
    },
    enterAsGuest: {
      // Whoever has link and PIN was given them.
      async prepare() {
        const { url, pin } = (await addLink()).link;
        return { body: { token: new URL(url).hash.slice(1), pin } };
      },
      outsider: ownAffair,
    },
    openGuestTunnel: {
      async prepare() {
        const { url, pin } = (await addLink()).link;
        const body = { token: new URL(url).hash.slice(1), pin };
        matrix().server.clock.advance(1000); // as fast as one network may
        const entered = await matrix().server.call('enterAsGuest', { body });
        const { guestId } = entered.body as { guestId: string };
        cookies.set(guestId, String([entered.headers['set-cookie']].flat()[0]).split(';')[0] ?? '');
        return { body: { guestId } };
      },
      outsider: ownAffair,
      // By a cookie of its own, whoever else the caller is.
      call({ headers = {}, ...options }) {
        const { server } = matrix();
        const { guestId } = options.body as { guestId: string };
        const cookie = [headers.cookie, cookies.get(guestId)].filter(Boolean).join('; ');
        return server.call('openGuestTunnel', {
          ...options,
          headers: { origin: server.publicUrl, ...headers, cookie },
        });
      },
    },
  } satisfies Partial<Record<RouteName, Entry>>;
}
