import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { User } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { useDisableTotp, useRegenerateRecoveryCodes } from '../security-queries.ts';
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx';

interface Props {
  user: User;
  isShown: boolean;
}

export function TotpOn({ user, isShown }: Props) {
  const { t } = useTranslation('security');
  const [isTurningOff, turnOffDialog] = useDisclosure();
  const [isRenewing, renewDialog] = useDisclosure();
  const disable = useDisableTotp();
  const renew = useRegenerateRecoveryCodes();

  const turnOff = () =>
    disable.mutate(undefined, {
      onSuccess: () => {
        turnOffDialog.close();
        showToast({ severity: 'success', summary: t('disable.done') });
      },
    });
  return (
    <>
      {isShown && (
        <Stack gap="md">
          {!user.hasRecoveryCodes && (
            <Alert
              variant="light"
              p="xs"
              role="status"
              styles={{
                root: { background: 'var(--pult-warning-surface)' },
                message: { color: 'var(--pult-warning)' },
              }}
            >
              {t('totp.noCodesLeft')}
            </Alert>
          )}
          <Group gap="xs">
            <Button variant="default" onClick={renewDialog.open}>
              {t('totp.regenerate')}
            </Button>
            <Button variant="outline" color="red" onClick={turnOffDialog.open}>
              {t('totp.turnOff')}
            </Button>
          </Group>
        </Stack>
      )}
      <ConfirmDialog
        opened={isTurningOff}
        title={t('disable.title')}
        confirmLabel={t('disable.submit')}
        isPending={disable.isPending}
        onConfirm={turnOff}
        onClose={turnOffDialog.close}
      >
        {t('disable.text')}
        {user.hasTotpRequiredOrg && (
          <Text size="sm" mt="xs" fw={500} c="var(--pult-danger)">
            {t('disable.organizationWarning')}
          </Text>
        )}
      </ConfirmDialog>
      <ConfirmDialog
        opened={isRenewing}
        title={t('codes.renewTitle')}
        confirmLabel={t('codes.renew')}
        isPending={renew.isPending}
        onConfirm={() => renew.mutate(undefined, { onSuccess: renewDialog.close })}
        onClose={renewDialog.close}
      >
        {t('codes.renewText')}
      </ConfirmDialog>
      <RecoveryCodesDialog email={user.email} codes={renew.data?.recoveryCodes} onFinish={renew.reset} />
    </>
  );
}
