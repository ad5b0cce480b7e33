import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { isAllowed } from '@pult/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { controllerQuery } from '../../controllers/index.ts';

interface Props {
  serialNumber: string;
  /** What the device presents now. */
  presented: string | undefined;
  onForgotten: () => void;
}

/** For admins, who alone may say that a changed key is the controller's own. */
export function ForgetHostKey({ serialNumber, presented, onForgotten }: Props) {
  const { t } = useTranslation('tunnels');
  const [opened, dialog] = useDisclosure();
  const { data: controller } = useQuery(controllerQuery(serialNumber));
  const forgetting = useMutation({
    mutationFn: () => api('forgetHostKey', { params: { serialNumber } }),
    onSuccess: () => {
      showToast({ severity: 'success', summary: t('hostKey.forgotten'), details: serialNumber });
      onForgotten();
    },
  });
  if (!controller || !isAllowed(controller.userRole, 'tunnels.manage')) return null;
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {t('hostKey.forget')}
      </Button>
      <ConfirmDialog
        opened={opened}
        title={t('hostKey.forgetTitle')}
        confirmLabel={t('hostKey.forgetConfirm')}
        isPending={forgetting.isPending}
        onConfirm={() => forgetting.mutate()}
        onClose={dialog.close}
      >
        {t('hostKey.forgetText')}
        <Text size="xs" c="dimmed" mt="xs">
          {t('hostKey.presented')}: <bdi>{presented}</bdi>
        </Text>
      </ConfirmDialog>
    </>
  );
}
