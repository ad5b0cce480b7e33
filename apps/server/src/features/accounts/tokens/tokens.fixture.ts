import type { CreatedToken, Permission } from '@pult/contract';
import type { TestServer, TestUser } from '@pult/testkit/in-process';

/** A token of the user with these scopes, made as a person makes it. */
export async function addToken(
  server: Pick<TestServer, 'call'>,
  user: TestUser,
  scopes: readonly Permission[],
  more: { name?: string; expiresAt?: string | null; networks?: readonly string[] } = {},
): Promise<CreatedToken> {
  const body = { name: 'Script', scopes, ...more };
  const answer = await server.call('createToken', { as: user, body });
  if (answer.status !== 201) throw new Error(`createToken answered ${answer.status}`);
  return answer.body as CreatedToken;
}

export const bearer = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` });
