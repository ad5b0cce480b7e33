import type { AlertKind, AlertState } from '@pult/contract';
import type { OrganizationCaller } from '../../platform/access/index.ts';
import { toPage } from '../../platform/http/pages.ts';
import type { AlertsRepository } from './alerts.repository.ts';

interface Query {
  page?: number | undefined;
  page_size?: number | undefined;
  serial_number?: string | undefined;
  kind?: AlertKind[] | undefined;
  group_ids?: string[] | undefined;
  state?: AlertState[] | undefined;
}

/** The alerts that the rules of an organization have fired. */
export function createAlertsService({ repository }: { repository: AlertsRepository }) {
  return {
    async list({ scope, organization: { id: organizationId } }: OrganizationCaller, query: Query) {
      const { serial_number: serialNumber, kind: kinds, group_ids: groupIds, state: states } = query;
      const page = toPage(query);
      const filters = { serialNumber, kinds, groupIds, states };
      const [results, count] = await Promise.all([
        repository.list(scope, organizationId, filters, page),
        repository.count(scope, organizationId, filters),
      ]);
      return { page, count, results };
    },
  };
}
export type AlertsService = ReturnType<typeof createAlertsService>;
