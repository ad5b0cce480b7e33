import { useDisclosure } from '@mantine/hooks';
import type { Member } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { IconUserMinus } from '../../../shared/icons/IconUserMinus.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
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
  const [opened, dialog] = useDisclosure();
  const removal = useRemoveMember(organizationId);
  const remove = () =>
    removal.mutate(userId, {
      onSuccess: () => showToast({ severity: 'success', summary: t('members.removed'), details: email }),
      onSettled: dialog.close,
    });
  return (
    <>
      <RowAction
        label={t('members.remove', { email })}
        icon={<IconUserMinus size={18} stroke={1.75} />}
        reason={reason}
        onClick={dialog.open}
      />
      <ConfirmDialog
        opened={opened}
        title={t('members.removeTitle', { email })}
        confirmLabel={t('members.removeConfirm')}
        isPending={removal.isPending}
        onConfirm={remove}
        onClose={dialog.close}
      >
        {t('members.removeText')}
      </ConfirmDialog>
    </>
  );
}
