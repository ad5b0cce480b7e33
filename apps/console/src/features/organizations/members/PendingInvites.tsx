import { useDisclosure } from '@mantine/hooks';
import { type Invite, mayManageRole, type Role } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { IconMailX } from '../../../shared/icons/IconMailX.ts';
import { IconSend } from '../../../shared/icons/IconSend.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { ErrorState } from '../../../shared/ui/ErrorState.tsx';
import { RowAction } from '../../../shared/ui/RowAction.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import classes from './members.module.css';
import { type InviteRequest, invitesQuery, useInviteUser, useRevokeInvite } from './queries.ts';

interface Props {
  organizationId: string;
  actorRole: Role;
  onInvited: (request: InviteRequest, inviteUrl: string | undefined) => void;
}

/** Invites that nobody has accepted yet; not there while there are none. */
export function PendingInvites(props: Props) {
  const { t } = useTranslation('organizations');
  const { data, error, refetch } = useQuery(invitesQuery(props.organizationId));
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data || data.length === 0) return null;
  return (
    <Section title={t('invites.pending')}>
      <ul className={classes.list}>
        {data.map((invite) => (
          <PendingInvite key={invite.id} invite={invite} {...props} />
        ))}
      </ul>
    </Section>
  );
}

function PendingInvite({ invite, organizationId, actorRole, onInvited }: Props & { invite: Invite }) {
  const { t } = useTranslation(['organizations', 'shared']);
  const { formatDate } = useFormat();
  const { email, role, invitedBy, expiresAt } = invite;
  const [opened, dialog] = useDisclosure();
  const resend = useInviteUser(organizationId);
  const revocation = useRevokeInvite(organizationId);
  const reason = mayManageRole(actorRole, role) ? undefined : t('members.onlyBelow');
  const revoke = () =>
    revocation.mutate(invite.id, {
      onSuccess: () => showToast({ severity: 'success', summary: t('invites.revoked'), details: email }),
      onSettled: dialog.close,
    });
  return (
    <li className={classes.invite}>
      <div className={classes.inviteText}>
        <span>{email}</span>
        <span className={classes.inviteDetails}>
          <span>{t(`role.${role}`, { ns: 'shared' })}</span>
          <span>{t('invites.expires', { date: formatDate(expiresAt) })}</span>
          {invitedBy !== null && <span>{t('invites.invitedBy', { email: invitedBy })}</span>}
        </span>
      </div>
      <div className={classes.inviteActions}>
        <RowAction
          label={t('invites.resend', { email })}
          reason={reason}
          icon={<IconSend size={18} stroke={1.75} />}
          isPending={resend.isPending}
          onClick={() =>
            resend.mutate(
              { email, role },
              { onSuccess: ({ inviteUrl }) => onInvited({ email, role }, inviteUrl) },
            )
          }
        />
        <RowAction
          label={t('invites.revoke', { email })}
          reason={reason}
          icon={<IconMailX size={18} stroke={1.75} />}
          onClick={dialog.open}
        />
      </div>
      <ConfirmDialog
        opened={opened}
        title={t('invites.revokeTitle', { email })}
        confirmLabel={t('invites.revokeConfirm')}
        isPending={revocation.isPending}
        onConfirm={revoke}
        onClose={dialog.close}
      >
        {t('invites.revokeText')}
      </ConfirmDialog>
    </li>
  );
}
