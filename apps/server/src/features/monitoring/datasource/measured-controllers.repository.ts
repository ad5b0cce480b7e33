import { sql } from 'kysely';
import type { Database } from '../../../platform/db/schema.ts';

export interface MeasuredController {
  controllerId: string;
  serialNumber: string;
}

/** Controllers as the data source of one organization names them. */
export function createMeasuredControllersRepository(db: Database) {
  return {
    /** Of this organization alone, by serial number; undefined for all of them. */
    list: (
      organizationId: string,
      serialNumbers: readonly string[] | undefined,
      limit: number | undefined,
    ): Promise<MeasuredController[]> =>
      db
        .selectFrom('controllers')
        .select(['id as controllerId', 'serial_number as serialNumber'])
        .where('organization_id', '=', organizationId)
        .$if(serialNumbers !== undefined, (query) =>
          query.where('serial_number', '=', sql<string>`any(${[...(serialNumbers ?? [])]}::text[])`),
        )
        .orderBy('serial_number')
        .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
        .execute(),
  };
}
export type MeasuredControllersRepository = ReturnType<typeof createMeasuredControllersRepository>;
