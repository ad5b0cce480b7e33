import type { Member } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { IconUserMinus } from '../../../shared/icons/IconUserMinus.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { confirm } from '../../../shared/ui/confirm.tsx';
import { RowAction } from '../../../shared/ui/RowAction.tsx';
import { useRemoveMember } from './queries.ts';

interface Props {
  organizationId: string;
  member: Member;
  /** Why it cannot be done. */
  reason: string | undefined;
}

export function RemoveMember({ organizationId, member: { userId, email }, reason }: Props) {
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
      },
    });
  return (
    <RowAction
      label={t('members.remove', { email })}
      icon={<IconUserMinus size={18} stroke={1.75} />}
      reason={reason}
      onClick={ask}
    />
  );
}
