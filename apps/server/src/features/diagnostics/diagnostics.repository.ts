import { type ConnectionKind, type Diagnostic, limits } from '@pult/contract';
import { sql } from 'kysely';
import { type Scope, visibleControllers } from '../../platform/access/index.ts';
import type { ArchiveFormat, Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { enrolmentOfController } from '../devices/index.ts';

export interface DiagnosticTarget {
  controllerId: string;
  organizationId: string;
  enrolmentId: string;
  serialNumber: string;
}

/** The archive of diagnostics that are ready. */
export interface StoredArchive {
  id: string;
  organizationId: string;
  serialNumber: string;
  size: number;
  sha256: string;
  format: ArchiveFormat;
  createdAt: Date;
}

/** SQL of diagnostics, as people ask for them and see them. */
export function createDiagnosticsRepository(db: Database) {
  const ofController = (scope: Scope, serialNumber: string) =>
    db
      .selectFrom('diagnostics')
      .innerJoin('controllers', 'controllers.id', 'diagnostics.controller_id')
      .where('controllers.serial_number', '=', serialNumber)
      .where(visibleControllers(scope))
      .orderBy('diagnostics.id', 'desc');

  return {
    getTarget: (
      transaction: DatabaseTransaction,
      scope: Scope,
      serialNumber: string,
    ): Promise<(DiagnosticTarget & { connectionKind: ConnectionKind }) | undefined> =>
      transaction
        .selectFrom('controllers')
        .select([
          'id as controllerId',
          'organization_id as organizationId',
          enrolmentOfController.as('enrolmentId'),
          'serial_number as serialNumber',
          'connection_kind as connectionKind',
        ])
        .where('serial_number', '=', serialNumber)
        .where(visibleControllers(scope))
        .forKeyShare()
        .executeTakeFirst(),

    /** False when another one of the controller is under way: of many at once, one succeeds. */
    async createRequest(
      transaction: DatabaseTransaction,
      request: { id: string; controllerId: string; userId: string; createdAt: Date },
    ): Promise<boolean> {
      const row = await transaction
        .insertInto('diagnostics')
        .values({
          id: request.id,
          controller_id: request.controllerId,
          requested_by: request.userId,
          status: 'requested',
          created_at: request.createdAt,
        })
        // The only unique index besides the id's is that of what is under way.
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    getLatest: (scope: Scope, serialNumber: string) =>
      ofController(scope, serialNumber)
        .select(['diagnostics.id', 'diagnostics.status', 'diagnostics.created_at'])
        .limit(1)
        .executeTakeFirst(),

    /** Newest first. */
    async list(scope: Scope, serialNumber: string): Promise<Diagnostic[]> {
      const rows = await ofController(scope, serialNumber)
        .leftJoin('users', 'users.id', 'diagnostics.requested_by')
        .selectAll('diagnostics')
        .select('users.email')
        .limit(limits.diagnosticsPerController)
        .execute();
      return rows.map((row) => ({
        id: row.id,
        status: row.status,
        reason: row.reason,
        detail: row.detail,
        progress: Number(row.progress),
        size: row.size === null ? null : Number(row.size),
        sha256: row.sha256?.toString('hex') ?? null,
        created: row.created_at.toISOString(),
        finished: row.finished_at?.toISOString() ?? null,
        requestedBy:
          row.requested_by && row.email !== null ? { id: row.requested_by, email: row.email } : null,
      }));
    },

    async getArchive(scope: Scope, id: string): Promise<StoredArchive | undefined> {
      const row = await db
        .selectFrom('diagnostics')
        .innerJoin('controllers', 'controllers.id', 'diagnostics.controller_id')
        .select([
          'controllers.organization_id as organizationId',
          'controllers.serial_number as serialNumber',
          'diagnostics.size',
          'diagnostics.sha256',
          'diagnostics.format',
          'diagnostics.created_at as createdAt',
        ])
        .where('diagnostics.id', '=', id)
        .where('diagnostics.status', '=', sql.lit('ready'))
        .where(visibleControllers(scope))
        .executeTakeFirst();
      // What is ready has all of them, says the table's own check.
      if (!row || row.size === null || !row.sha256 || !row.format) return undefined;
      const { organizationId, serialNumber, format, createdAt } = row;
      const sha256 = row.sha256.toString('hex');
      return { id, organizationId, serialNumber, format, createdAt, sha256, size: Number(row.size) };
    },
  };
}
export type DiagnosticsRepository = ReturnType<typeof createDiagnosticsRepository>;
