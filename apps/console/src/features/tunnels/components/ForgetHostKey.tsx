import { Button, Text } from '@mantine/core';
import { isAllowed } from '@pult/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { confirm } from '../../../shared/ui/confirm.tsx';
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
  const { data: controller } = useQuery(controllerQuery(serialNumber));
  const forgetting = useMutation({
    mutationFn: () => api('forgetHostKey', { params: { serialNumber } }),
    onSuccess: () => {
      showToast({ severity: 'success', summary: t('hostKey.forgotten'), details: serialNumber });
      onForgotten();
    },
  });
  if (!controller || !isAllowed(controller.userRole, 'tunnels.manage')) return null;
  const ask = () =>
    confirm({
      title: t('hostKey.forgetTitle'),
      text: (
        <>
          {t('hostKey.forgetText')}
          <Text size="xs" c="dimmed" mt="xs">
            {t('hostKey.presented')}: <bdi>{presented}</bdi>
          </Text>
        </>
      ),
      action: t('hostKey.forgetConfirm'),
      stays: true,
      run: () => forgetting.mutateAsync(),
    });
  return (
    <Button variant="default" onClick={ask}>
      {t('hostKey.forget')}
    </Button>
  );
}
