import { type Member, mayManageRole, type Role, roles } from '@pult/contract';

/** Why a member cannot be changed. */
export type Obstacle = 'roleTooWeak' | 'onlyBelow' | 'lastOwner' | 'removeSelf';

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

/** Strongest first, as people look for whom to ask; then by email. */
export function sortMembers(members: readonly Member[]): Member[] {
  return [...members].sort(
    (left, right) =>
      roles.indexOf(right.role) - roles.indexOf(left.role) || left.email.localeCompare(right.email),
  );
}
