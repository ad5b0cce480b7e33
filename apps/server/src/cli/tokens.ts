import { type GrantRole, grantRoles, neverImpliedScopes, permissionNames, routes } from '@pult/contract';
import { readTokenWish } from '../features/accounts/index.ts';
import { createFirstToken } from '../features/service-accounts/index.ts';
import { createAuditLog } from '../platform/audit.ts';
import { systemClock } from '../platform/clock.ts';
import { withDatabase } from './with-database.ts';

type Options = Readonly<Partial<Record<string, readonly string[]>>>;

function oneOf(options: Options, name: string): string | undefined {
  const [value, ...more] = options[name] ?? [];
  if (more.length > 0) throw new Error(`--${name} is given once.`);
  return value;
}

function readRole(role: string | undefined): GrantRole | undefined {
  const known = grantRoles.find((each) => each === role);
  if (role !== undefined && known === undefined)
    throw new Error(`--role is one of ${grantRoles.join(', ')}.`);
  return known;
}

/** What lets others in is there only where it was named. */
function readScopes({ scope = [] }: Options) {
  const never: readonly string[] = neverImpliedScopes;
  const unknown = scope.find((name) => !permissionNames.some((each) => each === name));
  if (unknown !== undefined) {
    throw new Error(`There is no scope ${unknown}. Those there are: ${permissionNames.join(', ')}.`);
  }
  return permissionNames.filter((name) => (scope.length > 0 ? scope.includes(name) : !never.includes(name)));
}

function readBody(options: Options) {
  const wish = {
    name: oneOf(options, 'name') ?? 'pult token create',
    scopes: readScopes(options),
    expiresAt: oneOf(options, 'expires') ?? null,
    networks: options.network ?? [],
  };
  const { data, error } = routes.createToken.body.safeParse(wish);
  if (data) return data;
  const field = String(error.issues[0]?.path[0]);
  const option = { expiresAt: 'expires', networks: 'network' }[field] ?? field;
  throw new Error(`--${option} cannot be read. A time looks like 2030-01-31T00:00:00Z.`);
}

/** A token for the first program, before any person has logged in; the account by which it acts where there is none yet. */
export async function createServiceToken(options: Options): Promise<void> {
  const service = routes.createServiceAccount.body.safeParse({ name: oneOf(options, 'service') }).data?.name;
  const organization = routes.getOrganization.params.safeParse({
    organizationId: oneOf(options, 'organization'),
  }).data;
  if (service === undefined) throw new Error('--service names the account: a text without @.');
  if (!organization) throw new Error('--organization is the id of one, as the address of its page has it.');
  const role = readRole(oneOf(options, 'role'));
  const body = readBody(options);
  await withDatabase(async (db) => {
    const clock = systemClock;
    const token = readTokenWish({ token: undefined, sessionExpiresAt: clock.now() }, body, clock.now());
    const made = await createFirstToken(
      { db, recordAudit: createAuditLog(db, clock).record, clock },
      { service, organizationId: organization.organizationId, role, token },
    );
    if (!made) throw new Error('There is no such organization.');
    // The token alone, so that a script takes it as it is.
    process.stdout.write(`${made.token}\n`);
  });
}
