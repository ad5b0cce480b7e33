import type { Organization } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../shared/toasts/show-toast.tsx';
import { confirm } from '../../shared/ui/confirm.tsx';
import { useLeaveOrganization } from './queries.ts';

/** Leaves an organization after a question. */
export function useAskToLeave({ id, name }: Pick<Organization, 'id' | 'name'>, onLeft?: () => void) {
  const { t } = useTranslation('organizations');
  const leaving = useLeaveOrganization(id);
  return () =>
    confirm({
      title: t('leave.title', { name }),
      text: t('leave.text'),
      action: t('leave.confirm'),
      run: () =>
        leaving.mutateAsync(undefined, {
          onSuccess: () => {
            showToast({ severity: 'success', summary: t('leave.done'), details: name });
            onLeft?.();
          },
        }),
    });
}
