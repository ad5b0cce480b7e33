import type { AlertState } from '@pult/contract';
import { toPage } from '../../platform/http/pages.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { createScope, type OrganizationAccess } from '../organizations/index.ts';
import type { AlertsRepository } from './alerts.repository.ts';

interface Query {
  page?: number | undefined;
  page_size?: number | undefined;
  serial_number?: string | undefined;
  state?: AlertState[] | undefined;
}

/** The alerts that the rules of an organization have fired. */
export function createAlertsService(dependencies: {
  repository: AlertsRepository;
  access: OrganizationAccess;
}) {
  const { repository, access } = dependencies;
  return {
    async list(principal: Principal, organizationId: string, query: Query) {
      const { serial_number: serialNumber, state: states } = query;
      await access.require(principal, organizationId, 'alerts.read', 'anywhere');
      const scope = createScope(principal, 'alerts.read');
      const page = toPage(query);
      const filters = { serialNumber, states };
      const [results, count] = await Promise.all([
        repository.list(scope, organizationId, filters, page),
        repository.count(scope, organizationId, filters),
      ]);
      return { page, count, results };
    },
  };
}
export type AlertsService = ReturnType<typeof createAlertsService>;
