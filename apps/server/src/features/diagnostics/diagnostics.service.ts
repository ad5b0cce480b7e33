import type { Diagnostic, DiagnosticState } from '@pult/contract';
import { isGivenBy } from '@pult/contract/values';
import type { ControllerCaller } from '../../platform/access/index.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Core } from '../../platform/feature.ts';
import { createId } from '../../platform/ids.ts';
import type { Collections } from './collections.ts';
import type { DiagnosticsRepository, StoredArchive } from './diagnostics.repository.ts';

interface Dependencies {
  repository: DiagnosticsRepository;
  announce: Collections['announce'];
  /** Has whoever holds these devices begin what waits for them. */
  begin(enrolmentIds: readonly string[]): void;
}

export function createDiagnosticsService({ db, clock }: Core, { repository, announce, begin }: Dependencies) {
  return {
    async getDiagnostic({ scope, controller }: ControllerCaller): Promise<DiagnosticState> {
      const row = await repository.getLatest(scope, controller.serialNumber);
      if (!row) return { status: 'not_requested', id: null, created: null };
      return { status: row.status, id: row.id, created: row.created_at.toISOString() };
    },

    listDiagnostics: ({ scope, controller }: ControllerCaller): Promise<Diagnostic[]> =>
      repository.list(scope, controller.serialNumber),

    /** Collected at once from a linked controller; otherwise as soon as it is linked. */
    async requestDiagnostic(caller: ControllerCaller): Promise<DiagnosticState> {
      const { scope, userId, controller } = caller;
      const { serialNumber } = controller;
      const [id, createdAt] = [createId(), clock.now()];
      const target = await db.transaction().execute(async (transaction) => {
        const found = await repository.getTarget(transaction, scope, serialNumber);
        if (!found) throw new DomainError('controller_not_found', { serialNumber });
        const { controllerId, organizationId, connectionKind } = found;
        if (!isGivenBy(connectionKind, 'diagnostics')) {
          throw new DomainError('diagnostic_not_given', { serialNumber });
        }
        if (!(await repository.createRequest(transaction, { id, controllerId, userId, createdAt }))) {
          throw new DomainError('diagnostic_in_progress', { serialNumber });
        }
        await caller.audit('diagnostic.requested', { organizationId }, transaction);
        return found;
      });
      announce({ ...target, id }, 'requested', 0);
      begin([target.enrolmentId]);
      return { status: 'requested', id, created: createdAt.toISOString() };
    },

    /** Throws `diagnostic_not_found` for one without an archive too. */
    async getArchive({ scope }: ControllerCaller, id: string): Promise<StoredArchive> {
      const archive = await repository.getArchive(scope, id);
      if (!archive) throw new DomainError('diagnostic_not_found');
      return archive;
    },

    recordDownload: (caller: ControllerCaller, { organizationId, id, size }: StoredArchive): Promise<void> =>
      caller.audit('diagnostic.downloaded', { organizationId, details: { id, size } }),
  };
}
export type DiagnosticsService = ReturnType<typeof createDiagnosticsService>;
