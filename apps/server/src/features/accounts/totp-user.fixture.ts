import { createTotpCode } from '@pult/testkit';
import type { TestAnswer, TestServer, TestUser } from '@pult/testkit/in-process';

/** A logged-in user who has TOTP, and the app that shows the codes. */
export interface TotpUser extends TestUser {
  secret: string;
  recoveryCodes: string[];
  /** The code of now; each is good once, so `offset` steps away is another one. */
  code(offset?: number): string;
}

/** The cookies that an answer sets, by name; those it deletes are empty. */
export function readCookies(answer: TestAnswer): Map<string, string> {
  const lines = [answer.headers['set-cookie'] ?? []].flat().map(String);
  return new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), /=([^;]*)/.exec(line)?.[1] ?? '']));
}

/** Turns TOTP on by cookie, as the console does, with the code of a step ago: that of now is still good. */
export async function enableTotp(server: TestServer, user: TestUser): Promise<TotpUser> {
  const headers = { cookie: user.cookie, origin: server.publicUrl };
  const setup = await server.call('setUpTotp', { headers });
  const { secret } = setup.body as { secret: string };
  const code = (offset = 0) =>
    createTotpCode(secret, new Date(server.clock.now().getTime() + offset * 30_000));
  const activation = await server.call('activateTotp', { headers, body: { code: code(-1) } });
  if (activation.status !== 200) throw new Error(`activateTotp answered ${activation.status}`);
  const { recoveryCodes } = activation.body as { recoveryCodes: string[] };
  const cookie = `pult_session=${readCookies(activation).get('pult_session')}`;
  return { ...user, cookie, secret, recoveryCodes, code };
}
