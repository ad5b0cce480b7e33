import { useDisclosure } from '@mantine/hooks';
import type { TunnelView } from '@pult/contract';
import IconPlugConnectedX from '@tabler/icons-react/dist/esm/icons/IconPlugConnectedX.mjs';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { RowAction } from '../../../shared/ui/RowAction.tsx';
import { useEndTunnel } from './queries.ts';

interface Props {
  organizationId: string;
  tunnel: TunnelView;
  /** Why it cannot be done. */
  reason: string | undefined;
}

export function EndTunnel({ organizationId, tunnel: { id, user, serialNumber }, reason }: Props) {
  const { t } = useTranslation('liveTunnels');
  const [opened, dialog] = useDisclosure();
  const ending = useEndTunnel(organizationId);
  const names = { email: user?.email ?? t('nobody'), serialNumber };
  const end = () =>
    ending.mutate(id, {
      onSuccess: () => showToast({ severity: 'success', summary: t('endDone'), details: names.email }),
      onSettled: dialog.close,
    });
  return (
    <>
      <RowAction
        label={t('end', names)}
        icon={<IconPlugConnectedX size={18} stroke={1.75} />}
        reason={reason}
        onClick={dialog.open}
      />
      <ConfirmDialog
        opened={opened}
        title={t('endTitle')}
        confirmLabel={t('endConfirm')}
        isPending={ending.isPending}
        onConfirm={end}
        onClose={dialog.close}
      >
        {t('endText', names)}
      </ConfirmDialog>
    </>
  );
}
