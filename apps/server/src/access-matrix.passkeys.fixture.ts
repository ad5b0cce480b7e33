import type { PasskeyOptions } from '@pult/contract';
import {
  type CallAsTwin,
  type Entry,
  type Matrix,
  ownAffair,
} from './access-matrix.organizations.fixture.ts';
import { TestAuthenticator } from './features/accounts/passkeys/authenticator.fixture.ts';
import { enableTotp, type TotpUser } from './features/accounts/totp-user.fixture.ts';

/** The calls about passkeys. */
export function createPasskeyEntries(matrix: () => Matrix, callAsTwin: CallAsTwin) {
  const nothing = async () => ({});
  const headersOf = ({ cookie }: TotpUser) => ({ cookie, origin: matrix().server.publicUrl });

  /** One who has TOTP, and has confirmed. */
  async function prepareTwin(plain: Parameters<typeof enableTotp>[1]): Promise<TotpUser> {
    const { server } = matrix();
    const twin = await enableTotp(server, plain);
    const body = { scope: 'manage_passkeys', code: twin.code() };
    await server.call('verifyTotp', { headers: headersOf(twin), body });
    return twin;
  }

  async function makePasskey(twin: TotpUser) {
    const { server } = matrix();
    const authenticator = new TestAuthenticator();
    const answer = await server.call('createPasskeyOptions', { headers: headersOf(twin) });
    // The answer of that call.
    const options = answer.body as PasskeyOptions;
    const credential = authenticator.create(options, { origin: server.publicUrl });
    return { authenticator, body: { name: 'Key', credential } };
  }

  async function addPasskey(twin: TotpUser) {
    const { authenticator, body } = await makePasskey(twin);
    const added = await matrix().server.call('addPasskey', { headers: headersOf(twin), body });
    return { authenticator, id: (added.body as { id: string }).id };
  }

  return {
    listPasskeys: { prepare: nothing, outsider: ownAffair },
    createPasskeyOptions: {
      prepare: nothing,
      outsider: ownAffair,
      call: (options) =>
        callAsTwin('createPasskeyOptions', options, async (plain) => ({ twin: await prepareTwin(plain) })),
    },
    addPasskey: {
      prepare: async () => ({ body: { name: 'Key', credential: {} } }),
      outsider: ownAffair,
      call: (options) =>
        callAsTwin('addPasskey', options, async (plain) => {
          const twin = await prepareTwin(plain);
          return { twin, body: (await makePasskey(twin)).body };
        }),
    },
    deletePasskey: {
      prepare: async () => ({ params: { passkeyId: '01890a5d-ac96-774b-bcce-b302099a8057' } }),
      outsider: ownAffair,
      call: (options) =>
        callAsTwin('deletePasskey', options, async (plain) => {
          const twin = await prepareTwin(plain);
          return { twin, params: { passkeyId: (await addPasskey(twin)).id } };
        }),
    },
    createPasskeyChallenge: { prepare: nothing, outsider: ownAffair },
    logInByPasskey: {
      async prepare() {
        const { server } = matrix();
        const { authenticator } = await addPasskey(await prepareTwin(await server.createUser()));
        const { body } = await server.call('createPasskeyChallenge');
        server.clock.advance(1000); // as fast as one network may
        return {
          body: {
            passkey: authenticator.get(body as PasskeyOptions, {
              origin: server.publicUrl,
              isUserVerified: true,
            }),
          },
        };
      },
      outsider: ownAffair,
    },
  } satisfies Record<string, Entry>;
}
