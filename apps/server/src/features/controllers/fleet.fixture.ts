import type { ConnectionKind } from '@pult/contract';
import {
  createTestController,
  createTestServer,
  type TestServer,
  type TestUser,
} from '@pult/testkit/in-process';
import { fillFleet } from './large-fleet.fixture.ts';

/** One user with a large organization and a small one. */
export interface Fleet {
  server: TestServer;
  user: TestUser;
  /** The large one's id. */
  organization: string;
  /** How many controllers the large one has; four fifths of them have coordinates. */
  size: number;
  /** The id of the other, which has only what a test adds. */
  small: string;
}

export async function createFleet(): Promise<Fleet> {
  const size = 5000;
  const server = await createTestServer();
  const user = await server.createUser();
  const organization = await server.createOrganization(user);
  await fillFleet(server.db, organization, size);
  const small = await server.createOrganization(user, 'Small, "quoted"');
  return { server, user, organization, size, small };
}

/** One more in the small organization. */
export async function addController(
  { server, small }: Fleet,
  options: Omit<Parameters<typeof createTestController>[1], 'organizationId'>,
  columns?: { latitude: number; longitude: number } | { connection_kind: ConnectionKind },
): Promise<void> {
  const { id } = await createTestController(server, { organizationId: small, ...options });
  if (columns) await server.db.updateTable('controllers').set(columns).where('id', '=', id).execute();
}
