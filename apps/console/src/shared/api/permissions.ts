import { type Group, isAllowed, type Permission, type Role } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { organizationQuery } from './queries.ts';

/**
 * Whether the user's role in the organization as a whole allows it; not yet known counts as no. At a controller or a
 * group that is another role: its own `userRole`.
 */
export function useIsAllowed(organizationId: string, permission: Permission): boolean {
  const { data } = useQuery({ ...organizationQuery(organizationId), enabled: organizationId !== '' });
  return data !== undefined && !data.isPartial && isAllowed(data.userRole, permission);
}

/** Why somebody may not do what admins of the organization as a whole may; undefined when they may. */
export function useAdminReason(organizationId: string, permission: Permission): string | undefined {
  const { t } = useTranslation('shared');
  const { data } = useQuery(organizationQuery(organizationId));
  if (useIsAllowed(organizationId, permission)) return undefined;
  return t(data?.isPartial && isAllowed(data.userRole, permission) ? 'wholeOnly' : 'roleTooWeak.admin');
}

/** Whether the user's role at a group allows it; at one that is only on the way to what is theirs they have none. */
export function isAllowedAtGroup({ userRole }: Pick<Group, 'userRole'>, permission: Permission): boolean {
  return userRole !== undefined && isAllowed(userRole, permission);
}

/** What the user is at what they have chosen. */
export interface ChosenRoles {
  /** At the rows that are shown. */
  roles: readonly Role[];
  /** There are more than those: all that match. */
  isMatching: boolean;
}

/**
 * Whether it is allowed at all that was chosen. Of all that match only some are known here, and the server takes those
 * at which it is allowed: one is enough.
 */
export function isAllowedAtChosen({ roles, isMatching }: ChosenRoles, permission: Permission): boolean {
  const may = (role: Role) => isAllowed(role, permission);
  return isMatching ? roles.some(may) : roles.every(may);
}
