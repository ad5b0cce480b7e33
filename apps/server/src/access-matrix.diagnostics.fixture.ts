import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createTestController } from '@pult/testkit/in-process';
import type { Entry, Matrix } from './access-matrix.organizations.fixture.ts';
import { createId } from './testing.ts';

/** The calls about a controller's diagnostics. */
export function createDiagnosticsEntries(matrix: () => Matrix) {
  async function prepareController() {
    const { server, organization: organizationId } = matrix();
    const { id, serialNumber } = await createTestController(server, { organizationId });
    return { id, params: { serialNumber } };
  }

  async function prepareArchive() {
    const { server } = matrix();
    const { id: controller_id } = await prepareController();
    const id = createId();
    const created_at = server.clock.now();
    const archive = Buffer.from('archive');
    await server.server.archives.save(id, Readable.from([archive]));
    await server.db
      .insertInto('diagnostics')
      .values({
        id,
        controller_id,
        status: 'ready',
        size: archive.length,
        sha256: createHash('sha256').update(archive).digest(),
        format: 'tar.gz',
        created_at,
      })
      .execute();
    return { params: { id } };
  }

  const ofController = {
    prepare: async () => ({ params: (await prepareController()).params }),
    outsider: 'controller_not_found',
  } as const;

  return {
    getDiagnostic: ofController,
    listDiagnostics: ofController,
    requestDiagnostic: ofController,
    getAgentUpdate: ofController,
    requestAgentUpdate: {
      ...ofController,
      prepare: async () => ({ params: (await prepareController()).params, body: {} }),
    },
    requestAgentUpdates: {
      prepare: async () => ({ body: { controllers: [(await prepareController()).params.serialNumber] } }),
      outsider: 'controller_not_found',
    },
    downloadDiagnostic: { prepare: prepareArchive, outsider: 'diagnostic_not_found' },
  } satisfies Record<string, Entry>;
}
