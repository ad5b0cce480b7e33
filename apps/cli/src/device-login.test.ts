import { type ApiError, createClient } from '@pult/contract';
import { expect, test } from 'vitest';
import { logInByCode } from './device-login.ts';

const started = {
  deviceCode: 'device',
  userCode: 'ABCD-EFGH',
  verificationUri: 'https://pult.test/device',
  expiresIn: 600,
  interval: 5,
};

/** Logs in at a server that gives these answers, one after the other. */
async function logIn(...answers: [status: number, body: object][]) {
  const pauses: number[] = [];
  const left: typeof answers = [[200, started], ...answers];
  const call = createClient({
    baseUrl: 'https://pult.test',
    getLocale: () => 'en',
    async fetch() {
      const [status = 200, body] = left.shift() ?? [];
      return Response.json(body, { status });
    },
  });
  const pause = async (ms: number) => pauses.push(ms);
  const token = await logInByCode(call, ['controllers.read'], () => {}, pause).catch(
    (error: ApiError) => error.code,
  );
  return { token, pauses };
}

const refuse = (code: string) => ({ detail: 'No.', code });

test('login by code asks as often as the server says, and less often where it asks too often', async () => {
  const answers = await logIn(
    [400, refuse('authorization_pending')],
    [400, refuse('slow_down')],
    [503, {}],
    [200, { token: 'own' }],
  );
  expect(answers).toEqual({ token: 'own', pauses: [5_000, 5_000, 10_000, 10_000] });
});

test('login by code ends where it is refused', async () => {
  expect(await logIn([400, refuse('access_denied')])).toEqual({ token: 'access_denied', pauses: [5_000] });
});
