import { isAllowed, type Role } from '@pult/contract';
import type { GrafanaRole } from '../../../platform/db/schema.ts';

export interface GrafanaMember {
  userId: string;
  /** Null until the user was made in Grafana. */
  grafanaId: number | null;
  /** Which the user has there, and which by the membership here; null for none. */
  toldRole: GrafanaRole | null;
  role: GrafanaRole | null;
  email: string | null;
}

/** Who has it may make dashboards of their own. */
export const editingPermission = 'organization.update';

/**
 * What a member may do in Grafana. Nobody becomes an administrator there: one may point data sources at any address
 * that Grafana's machine can reach.
 */
export function roleInGrafana(role: Role): GrafanaRole {
  return isAllowed(role, editingPermission) ? 'Editor' : 'Viewer';
}

/** The login of a member in Grafana: one for each membership, so that nobody there is in two organizations. */
export function loginInGrafana(organizationId: string, userId: string): string {
  return `pult-${userId}-${organizationId}`;
}
