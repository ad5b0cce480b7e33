import type { Grant } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { IconLockX } from '../../shared/icons/IconLockX.ts';
import { showToast } from '../../shared/toasts/show-toast.tsx';
import { confirm } from '../../shared/ui/confirm.tsx';
import { RowAction } from '../../shared/ui/RowAction.tsx';
import { useEndAccess } from './queries.ts';

interface Props {
  organizationId: string;
  grant: Grant & { id: string };
}

/** Ends one right, after a question. */
export function EndAccess({ organizationId, grant: { id, subject, scope, isByProvider } }: Props) {
  const { t } = useTranslation('grants');
  const ending = useEndAccess(organizationId);
  const place = scope.type === 'organization' ? t('wholeOrganization') : scope.name;
  const ask = () =>
    confirm({
      title: t('endTitle', { name: subject.name }),
      text: t('endText', { place }),
      action: t('end'),
      run: async () => {
        await ending.mutateAsync(id);
        showToast({ severity: 'success', summary: t('ended'), details: subject.name });
      },
    });
  return (
    <RowAction
      label={t('endOne', { name: subject.name, place })}
      icon={<IconLockX size={18} stroke={1.75} />}
      // It would be given again at the next sign-in, so the server refuses to end it.
      reason={isByProvider ? t('endsByProvider') : undefined}
      onClick={ask}
    />
  );
}
