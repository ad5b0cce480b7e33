import { mayManageRole, type Role } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { IconMailX } from '../../../shared/icons/IconMailX.ts';
import { IconSend } from '../../../shared/icons/IconSend.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { confirm } from '../../../shared/ui/confirm.tsx';
import { ItemListSection } from '../../../shared/ui/ItemListSection.tsx';
import { RowAction } from '../../../shared/ui/RowAction.tsx';
import { type InviteRequest, invitesQuery, useInviteUser, useRevokeInvite } from './queries.ts';

interface Props {
  organizationId: string;
  actorRole: Role;
  onInvited: (request: InviteRequest, inviteUrl: string | undefined) => void;
}

/** Invites that nobody has accepted yet; not there while there are none. */
export function PendingInvites({ organizationId, actorRole, onInvited }: Props) {
  const { t } = useTranslation(['organizations', 'shared']);
  const { formatDate } = useFormat();
  const query = useQuery(invitesQuery(organizationId));
  const resend = useInviteUser(organizationId);
  const revocation = useRevokeInvite(organizationId);
  if (!query.error && !query.data?.length) return null;
  const revoke = (id: string, email: string) =>
    confirm({
      title: t('invites.revokeTitle', { email }),
      text: t('invites.revokeText'),
      action: t('invites.revokeConfirm'),
      run: async () => {
        await revocation.mutateAsync(id);
        showToast({ severity: 'success', summary: t('invites.revoked'), details: email });
      },
    });
  return (
    <ItemListSection
      title={t('invites.pending')}
      query={query}
      item={({ id, email, role, invitedBy, expiresAt }) => {
        const reason = mayManageRole(actorRole, role) ? undefined : t('members.onlyBelow');
        return {
          key: id,
          name: email,
          details: [
            [
              t(`role.${role}`, { ns: 'shared' }),
              t('invites.expires', { date: formatDate(expiresAt) }),
              invitedBy !== null && t('invites.invitedBy', { email: invitedBy }),
            ],
          ],
          actions: (
            <>
              <RowAction
                label={t('invites.resend', { email })}
                reason={reason}
                icon={<IconSend size={18} stroke={1.75} />}
                isPending={resend.isPending && resend.variables.email === email}
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
                onClick={() => revoke(id, email)}
              />
            </>
          ),
        };
      }}
    />
  );
}
