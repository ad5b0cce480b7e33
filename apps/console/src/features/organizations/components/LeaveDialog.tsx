import type { Organization } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { useLeaveOrganization } from '../queries.ts';

interface Props {
  organization: Pick<Organization, 'id' | 'name'>;
  opened: boolean;
  onClose: () => void;
  onLeft?: () => void;
}

export function LeaveDialog({ organization: { id, name }, opened, onClose, onLeft }: Props) {
  const { t } = useTranslation('organizations');
  const leaving = useLeaveOrganization(id);
  const leave = () =>
    leaving.mutate(undefined, {
      onSuccess: () => {
        showToast({ severity: 'success', summary: t('leave.done'), details: name });
        onLeft?.();
      },
      onSettled: onClose,
    });
  return (
    <ConfirmDialog
      opened={opened}
      title={t('leave.title', { name })}
      confirmLabel={t('leave.confirm')}
      isPending={leaving.isPending}
      onConfirm={leave}
      onClose={onClose}
    >
      {t('leave.text')}
    </ConfirmDialog>
  );
}
