export { InviteDetails } from './members/InviteDetails.tsx';
export { type InviteLink, InviteLinkDialog } from './members/InviteLinkDialog.tsx';
export { findRemovalObstacle, findRoleObstacle, useObstacleText } from './members/management-rules.ts';
export { invitesQuery, membersQuery } from './members/queries.ts';
export { RemoveMember } from './members/RemoveMember.tsx';
export { RoleMenu } from './members/RoleMenu.tsx';
export { TotpLabel } from './members/TotpLabel.tsx';
