import { useDisclosure } from '@mantine/hooks';
import type { Grant } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { IconLockX } from '../../../shared/icons/IconLockX.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { RowAction } from '../../../shared/ui/RowAction.tsx';
import { useEndAccess } from './queries.ts';

interface Props {
  organizationId: string;
  grant: Grant & { id: string };
}

/** Ends one right, after a question. */
export function EndAccess({ organizationId, grant: { id, subject, scope, isByProvider } }: Props) {
  const { t } = useTranslation('access');
  const [opened, dialog] = useDisclosure();
  const ending = useEndAccess(organizationId);
  const place = scope.type === 'organization' ? t('wholeOrganization') : scope.name;
  const end = () =>
    ending.mutate(id, {
      onSuccess: () => showToast({ severity: 'success', summary: t('ended'), details: subject.name }),
      onSettled: dialog.close,
    });
  return (
    <>
      <RowAction
        label={t('endOne', { name: subject.name, place })}
        icon={<IconLockX size={18} stroke={1.75} />}
        // It would be given again at the next sign-in, so the server refuses to end it.
        reason={isByProvider ? t('endsByProvider') : undefined}
        onClick={dialog.open}
      />
      <ConfirmDialog
        opened={opened}
        title={t('endTitle', { name: subject.name })}
        confirmLabel={t('end')}
        isPending={ending.isPending}
        onConfirm={end}
        onClose={dialog.close}
      >
        {t('endText', { place })}
      </ConfirmDialog>
    </>
  );
}
