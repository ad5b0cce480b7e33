export { type InviteLink, InviteLinkDialog } from './members/InviteLinkDialog.tsx';
export { PendingInvites } from './members/PendingInvites.tsx';
export { invitesQuery } from './members/queries.ts';
