import { createTestController } from '@pult/testkit/in-process';
import type { Entry, Matrix } from './access-matrix.organizations.fixture.ts';
import { createId } from './testing.ts';

/** The calls about the tunnels of an organization. */
export function createTunnelEntries(matrix: () => Matrix) {
  /** A tunnel that is open, as far as anyone asks. */
  async function prepareTunnel() {
    const { server, organization: organizationId, members } = matrix();
    const controller = await createTestController(server, { organizationId });
    const { id: controllerId, enrolmentId, serialNumber } = controller;
    const grant = {
      userId: members.member.id,
      credentials: '',
      tunnelId: null,
      sessionId: createId(),
      keyId: null,
      target: { controllerId, organizationId, enrolmentId, serialNumber },
      port: null,
    };
    const live = server.server.liveTunnels;
    const opened = live.track({ grant, kind: 'terminal', address: '' }, 'session', () => opened.end());
    const { body } = await server.call('listTunnels', { as: members.owner, params: { organizationId } });
    const { results } = body as { results: { id: string; serialNumber: string }[] };
    const tunnelId = results.find((tunnel) => tunnel.serialNumber === serialNumber)?.id ?? '';
    return { params: { organizationId, tunnelId } };
  }

  const outsider = 'organization_not_found';
  return {
    listTunnels: {
      prepare: async () => ({ params: { organizationId: matrix().organization } }),
      outsider,
    },
    endTunnel: { prepare: prepareTunnel, outsider },
  } satisfies Record<string, Entry>;
}
