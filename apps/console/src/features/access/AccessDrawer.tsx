import { Drawer } from '@mantine/core';
import { isAllowed, type Member, type Organization } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import type { KnownSubject } from '../grants/index.ts';
import { InviteDetails } from '../organizations/index.ts';
import { GuestDetails } from '../tunnels/index.ts';
import classes from './access.module.css';
import type { AccessEntry } from './entries.ts';
import { SubjectDetails } from './SubjectDetails.tsx';

interface Props {
  organization: Organization;
  /** Undefined: closed. */
  entry: AccessEntry | undefined;
  members: readonly Member[];
  /** Of the user who looks. */
  userId: string;
  onClose: () => void;
  onGive: (subject: KnownSubject) => void;
  onInvited: (email: string, inviteUrl: string | undefined) => void;
}

/** All about one who has access, and its end. */
export function AccessDrawer({ entry, onClose, ...props }: Props) {
  const { t } = useTranslation('shared');
  return (
    <Drawer
      opened={entry !== undefined}
      onClose={onClose}
      position="right"
      size="min(480px, 100vw)"
      title={<bdi className={classes.drawerTitle}>{entry?.name}</bdi>}
      transitionProps={{ duration: 120 }}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {entry && <Details entry={entry} onClose={onClose} {...props} />}
    </Drawer>
  );
}

type DetailsProps = Omit<Props, 'entry'> & { entry: AccessEntry };

function Details({ organization, entry, members, userId, onClose, onGive, onInvited }: DetailsProps) {
  const { id: organizationId, userRole } = organization;
  switch (entry.kind) {
    case 'invites':
      return (
        <InviteDetails
          organizationId={organizationId}
          invite={entry.invite}
          actorRole={userRole}
          onInvited={(url) => onInvited(entry.name, url)}
          onRevoked={onClose}
        />
      );
    case 'guests':
      return <GuestDetails organizationId={organizationId} link={entry.link} onEnded={onClose} />;
    default:
      return (
        <SubjectDetails
          organization={organization}
          entry={entry}
          members={members}
          userId={userId}
          onGive={isAllowed(userRole, 'grants.manage') && entry.id !== userId ? onGive : undefined}
          onRemoved={onClose}
        />
      );
  }
}
