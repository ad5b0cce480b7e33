import { Button, Group, Stack } from '@mantine/core';
import { type Invite, mayManageRole, type Role } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { confirm } from '../../../shared/ui/confirm.tsx';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { FactList } from '../../../shared/ui/FactList.tsx';
import { useInviteUser, useRevokeInvite } from './queries.ts';

interface Props {
  organizationId: string;
  invite: Invite;
  /** Of the user who looks. */
  actorRole: Role;
  /** With the link that no mail could carry. */
  onInvited: (inviteUrl: string | undefined) => void;
  onRevoked: () => void;
}

/** An invite that waits for its answer. */
export function InviteDetails({ organizationId, invite, actorRole, onInvited, onRevoked }: Props) {
  const { t } = useTranslation(['organizations', 'shared', 'grants']);
  const { formatDate } = useFormat();
  const resend = useInviteUser(organizationId);
  const revocation = useRevokeInvite(organizationId);
  const { id, email, role, scope, until, invitedBy, expiresAt } = invite;
  const reason = mayManageRole(actorRole, role) ? undefined : t('members.onlyBelow');
  const revoke = () =>
    confirm({
      title: t('invites.revokeTitle', { email }),
      text: t('invites.revokeText'),
      action: t('invites.revokeConfirm'),
      run: async () => {
        await revocation.mutateAsync(id);
        showToast({ severity: 'success', summary: t('invites.revoked'), details: email });
        onRevoked();
      },
    });
  // The new invite takes the place of this one, whose details are gone before the answer is.
  const sendAgain = async () => {
    const place = scope && { scope: { type: scope.type, id: scope.id }, until };
    const { inviteUrl } = await resend.mutateAsync({ email, role, ...place });
    onInvited(inviteUrl);
  };
  return (
    <Stack gap="lg">
      <FactList
        facts={[
          [t('members.role'), t(`roleName.${role}`, { ns: 'shared' })],
          [t('invites.place'), scope?.name ?? t('wholeOrganization', { ns: 'grants' })],
          [t('invites.until'), until && formatDate(until)],
          [t('invites.by'), invitedBy],
          [t('invites.expires'), formatDate(expiresAt)],
        ]}
      />
      <Group gap="xs">
        <DisabledReason reason={reason}>
          <Button
            variant="default"
            loading={resend.isPending}
            aria-label={t('invites.resend', { email })}
            onClick={() => void sendAgain().catch(() => {})}
          >
            {t('invites.again')}
          </Button>
        </DisabledReason>
        <DisabledReason reason={reason}>
          <Button variant="default" aria-label={t('invites.revoke', { email })} onClick={revoke}>
            {t('invites.revokeConfirm')}
          </Button>
        </DisabledReason>
      </Group>
    </Stack>
  );
}
