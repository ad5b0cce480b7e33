import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { isAllowed, type Organization } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentUserQuery } from '../../../shared/api/queries.ts';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { IconUserPlus } from '../../../shared/icons/IconUserPlus.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { QueryState } from '../../../shared/ui/QueryState.tsx';
import { SkeletonRows } from '../../../shared/ui/SkeletonRows.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import { type InviteLink, InviteLinkDialog } from './InviteLinkDialog.tsx';
import { MembersTable } from './MembersTable.tsx';
import classes from './members.module.css';
import { PendingInvites } from './PendingInvites.tsx';
import { type InviteRequest, membersQuery } from './queries.ts';

/** Who belongs to the organization, and who is about to. */
export function MembersTab({ organization: { id, userRole } }: { organization: Organization }) {
  const { t } = useTranslation(['organizations', 'shared']);
  const { formatNumber } = useFormat();
  const { data: user } = useQuery(currentUserQuery);
  const query = useQuery(membersQuery(id));
  const { data: members } = query;
  const [isInviting, inviting] = useDisclosure();
  const [link, setLink] = useState<InviteLink>();
  const mayInvite = isAllowed(userRole, 'members.invite');

  const tellInvited = ({ email }: InviteRequest, url: string | undefined) => {
    inviting.close();
    if (url === undefined) {
      showToast({ severity: 'success', summary: t('invites.sent'), details: email });
    } else {
      setLink({ email, url });
    }
  };

  if (!members) return <QueryState query={query} rows={5} height={28} />;
  if (!user) return <SkeletonRows rows={5} height={28} />;
  return (
    <>
      <div className={classes.toolbar}>
        <span>{t('members.count', { count: members.length, formatted: formatNumber(members.length) })}</span>
        <DisabledReason reason={mayInvite ? undefined : t('roleTooWeak.admin', { ns: 'shared' })}>
          <Button leftSection={<IconUserPlus size={16} />} onClick={inviting.open}>
            {t('invites.invite')}
          </Button>
        </DisabledReason>
      </div>
      <MembersTable organizationId={id} members={members} actor={{ userId: user.id, role: userRole }} />
      {mayInvite && <PendingInvites organizationId={id} actorRole={userRole} onInvited={tellInvited} />}
      <InviteDialog
        organizationId={id}
        actorRole={userRole}
        opened={isInviting}
        onClose={inviting.close}
        onInvited={tellInvited}
      />
      <InviteLinkDialog link={link} onClose={() => setLink(undefined)} />
    </>
  );
}
