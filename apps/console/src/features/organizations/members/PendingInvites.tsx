import { Button } from '@mantine/core';
import { mayManageRole, type Role } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { ItemListSection } from '../../../shared/ui/ItemListSection.tsx';
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
            <DisabledReason reason={reason}>
              <Button
                variant="default"
                size="xs"
                aria-label={t('invites.resendOne', { email })}
                loading={resend.isPending && resend.variables.email === email}
                onClick={() =>
                  resend.mutate(
                    { email, role },
                    { onSuccess: ({ inviteUrl }) => onInvited({ email, role }, inviteUrl) },
                  )
                }
              >
                {t('invites.resend')}
              </Button>
            </DisabledReason>
          ),
          removal: {
            label: t('invites.revoke'),
            name: t('invites.revokeOne', { email }),
            question: { title: t('invites.revokeTitle', { email }), text: t('invites.revokeText') },
            run: () => revocation.mutateAsync(id),
            done: t('invites.revoked'),
            details: email,
            reason,
          },
        };
      }}
    />
  );
}
