import type { Diagnostic, DiagnosticState } from '@pult/contract';
import { isGivenBy } from '@pult/contract/values';
import type { RecordAuditEvent } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/schema.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { createId } from '../../platform/ids.ts';
import type { ControllersService } from '../controllers/index.ts';
import { createScope } from '../organizations/index.ts';
import type { Collections } from './collections.ts';
import type { DiagnosticsRepository, StoredArchive } from './diagnostics.repository.ts';

interface Dependencies {
  db: Database;
  repository: DiagnosticsRepository;
  controllers: ControllersService;
  announce: Collections['announce'];
  /** Has whoever holds these devices begin what waits for them. */
  begin(enrolmentIds: readonly string[]): void;
  recordAudit: RecordAuditEvent;
  clock: Clock;
}

export function createDiagnosticsService(dependencies: Dependencies) {
  const { db, repository, controllers, announce, begin, recordAudit, clock } = dependencies;

  return {
    async getDiagnostic(principal: Principal, serialNumber: string): Promise<DiagnosticState> {
      await controllers.requirePermission(principal, serialNumber, 'controllers.read');
      const row = await repository.getLatest(createScope(principal, 'controllers.read'), serialNumber);
      if (!row) return { status: 'not_requested', id: null, created: null };
      return { status: row.status, id: row.id, created: row.created_at.toISOString() };
    },

    async listDiagnostics(principal: Principal, serialNumber: string): Promise<Diagnostic[]> {
      await controllers.requirePermission(principal, serialNumber, 'controllers.read');
      return repository.list(createScope(principal, 'controllers.read'), serialNumber);
    },

    /** Collected at once from a linked controller; otherwise as soon as it is linked. */
    async requestDiagnostic(
      principal: Principal,
      serialNumber: string,
      address: string,
    ): Promise<DiagnosticState> {
      await controllers.requirePermission(principal, serialNumber, 'diagnostics.request');
      const scope = createScope(principal, 'diagnostics.request');
      const [id, createdAt] = [createId(), clock.now()];
      const { userId } = principal;
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
        await recordAudit(
          { action: 'diagnostic.requested', userId, organizationId, subject: serialNumber, address },
          transaction,
        );
        return found;
      });
      announce({ ...target, id }, 'requested', 0);
      begin([target.enrolmentId]);
      return { status: 'requested', id, created: createdAt.toISOString() };
    },

    /** Throws `diagnostic_not_found` for another organization's as for none, and for one without an archive. */
    async getArchive(principal: Principal, id: string): Promise<StoredArchive> {
      const serialNumber = await repository.findSerialNumber(createScope(principal, 'controllers.read'), id);
      if (serialNumber === undefined) throw new DomainError('diagnostic_not_found');
      await controllers.requirePermission(principal, serialNumber, 'diagnostics.request');
      const archive = await repository.getArchive(createScope(principal, 'diagnostics.request'), id);
      if (!archive) throw new DomainError('diagnostic_not_found');
      return archive;
    },

    recordDownload: (
      principal: Principal,
      { organizationId, serialNumber, id, size }: StoredArchive,
      address: string,
    ): Promise<void> =>
      recordAudit({
        action: 'diagnostic.downloaded',
        userId: principal.userId,
        organizationId,
        subject: serialNumber,
        address,
        details: { id, size },
      }),
  };
}
export type DiagnosticsService = ReturnType<typeof createDiagnosticsService>;
