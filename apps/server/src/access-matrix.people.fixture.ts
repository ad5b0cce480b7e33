import { type Role, roles } from '@pult/contract';
import { startIdentityProvider } from '@pult/testkit';
import { createTestServer, type TestUser } from '@pult/testkit/in-process';
import { createAgentDirectory } from './features/agent-updates/agent-directory.fixture.ts';

/** A server that has all there is to call about, and an organization with those who may do something there and who may not. */
export async function createMatrixPeople() {
  const agent = await createAgentDirectory('1.0.0');
  const peer = await startIdentityProvider({ redirectUris: ['http://localhost:8080/'] });
  const server = await createTestServer({
    agentDirectory: agent.path,
    environment: {
      AGENT_UPDATES: 'auto',
      TUNNEL_DOMAIN: 'tunnels.example.com',
      OIDC_ISSUER: peer.issuer,
      OIDC_CLIENT_ID: peer.clientId,
      OIDC_CLIENT_SECRET: peer.clientSecret,
      OIDC_PRIVATE: 'true',
    },
  });
  const organization = await server.createOrganization(await server.createUser(), 'Target');
  const members = {} as Record<Role, TestUser>;
  for (const role of roles) {
    members[role] = await server.createUser();
    await server.addMember(organization, members[role], role);
  }
  const stranger = await server.createUser();
  await server.createOrganization(stranger);
  const administrator = await server.createUser();
  await server.db
    .updateTable('users')
    .set({ is_administrator: true })
    .where('id', '=', administrator.id)
    .execute();
  const elsewhere = await server.createOrganization(members.owner, 'Elsewhere');
  const former = await server.createUser();
  await server.addMember(organization, former, 'owner');
  await server.db.deleteFrom('memberships').where('user_id', '=', former.id).execute();
  return {
    /** What the server hands out. */
    agent,
    peer,
    server,
    organization,
    /** By role. */
    members,
    /** A user with an organization of their own. */
    stranger,
    /** Of the installation, without an organization. */
    administrator,
    /** Another organization of the owner. */
    elsewhere,
    /** Was an owner until a moment ago, and is still logged in. */
    former,
  };
}
