import { type Permission, permissionNames } from '@pult/contract';
import type { CallOptions, TestServer, TestUser } from '@pult/testkit/in-process';
import { addToken, bearer } from './features/accounts/tokens/tokens.fixture.ts';
import { hashToken } from './platform/ids.ts';

/** Of each of them; others call theirs otherwise. */
export const matrixTokenName = 'Of the matrix';

/** The tokens of the owner: of each scope alone, and of all but that one. Made once, as a user may make so many in an hour. */
export interface MatrixTokens {
  readonly alone: Record<Permission, Record<string, string>>;
  readonly allBut: Record<Permission, Record<string, string>>;
}

export async function createMatrixTokens(server: TestServer, owner: TestUser): Promise<MatrixTokens> {
  const alone = {} as MatrixTokens['alone'];
  const allBut = {} as MatrixTokens['allBut'];
  for (const scope of permissionNames) {
    alone[scope] = bearer(await addToken(server, owner, [scope], { name: matrixTokenName }));
    const others = permissionNames.filter((name) => name !== scope);
    allBut[scope] = bearer(await addToken(server, owner, others, { name: matrixTokenName }));
  }
  // Those are nearly as many as a user may make in an hour, and the matrix makes some more.
  await server.db.deleteFrom('rate_limits').execute();
  return { alone, allBut };
}

/** The token of a call, where it is made by one. */
export function readToken({ headers }: CallOptions): string | undefined {
  return /^Bearer (pult_\S+)$/.exec(headers?.authorization ?? '')?.[1];
}

/** What is stored of the credential by which a call is made. */
export function hashCredential(options: CallOptions, cookie: string | undefined): Buffer {
  return hashToken(readToken(options) ?? cookie?.split('=')[1] ?? '');
}
