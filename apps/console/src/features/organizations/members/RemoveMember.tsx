import { Button } from '@mantine/core';
import type { Member } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { confirm } from '../../../shared/ui/confirm.tsx';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { useRemoveMember } from './queries.ts';

interface Props {
  organizationId: string;
  member: Member;
  /** Why it cannot be done. */
  reason: string | undefined;
  onRemoved: () => void;
}

export function RemoveMember({ organizationId, member: { userId, email }, reason, onRemoved }: Props) {
  const { t } = useTranslation('organizations');
  const removal = useRemoveMember(organizationId);
  const ask = () =>
    confirm({
      title: t('members.removeTitle', { email }),
      text: t('members.removeText'),
      action: t('members.removeConfirm'),
      run: async () => {
        await removal.mutateAsync(userId);
        showToast({ severity: 'success', summary: t('members.removed'), details: email });
        onRemoved();
      },
    });
  return (
    <DisabledReason reason={reason}>
      <Button variant="outline" color="red" aria-label={t('members.remove', { email })} onClick={ask}>
        {t('members.removeConfirm')}
      </Button>
    </DisabledReason>
  );
}
