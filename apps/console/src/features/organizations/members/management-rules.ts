import { type Member, mayManageRole, type Role } from '@pult/contract';
import { useTranslation } from 'react-i18next';

/** Why a member cannot be changed. */
type Obstacle = 'roleTooWeak' | 'onlyBelow' | 'lastOwner' | 'removeSelf';

interface Actor {
  userId: string;
  role: Role;
}

function isLastOwner(member: Member, members: readonly Member[]): boolean {
  return member.role === 'owner' && members.filter(({ role }) => role === 'owner').length === 1;
}

/** What keeps the actor from changing the member's role. */
export function findRoleObstacle(
  actor: Actor,
  member: Member,
  members: readonly Member[],
): Obstacle | undefined {
  if (!mayManageRole(actor.role, 'viewer')) return 'roleTooWeak';
  if (!mayManageRole(actor.role, member.role)) return 'onlyBelow';
  return isLastOwner(member, members) ? 'lastOwner' : undefined;
}

/** What keeps the actor from removing the member. */
export function findRemovalObstacle(
  actor: Actor,
  member: Member,
  members: readonly Member[],
): Obstacle | undefined {
  if (member.userId === actor.userId) return 'removeSelf';
  return findRoleObstacle(actor, member, members);
}

/** Why one cannot leave. */
export function isOnlyOwner(userId: string, members: readonly Member[]): boolean {
  return members.some((member) => member.userId === userId && isLastOwner(member, members));
}

/** What a button says of an obstacle. */
export function useObstacleText(): (obstacle: Obstacle | undefined) => string | undefined {
  const { t } = useTranslation(['organizations', 'shared']);
  return (obstacle) => {
    if (obstacle === undefined) return undefined;
    if (obstacle !== 'roleTooWeak') return t(`members.${obstacle}`);
    return t('roleTooWeak.admin', { ns: 'shared' });
  };
}
