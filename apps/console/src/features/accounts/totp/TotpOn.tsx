import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { User } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { confirm } from '../../../shared/ui/confirm.tsx';
import { useDisableTotp, useRegenerateRecoveryCodes } from '../security/queries.ts';
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx';

interface Props {
  user: User;
  isShown: boolean;
}

export function TotpOn({ user, isShown }: Props) {
  const { t } = useTranslation('security');
  const disable = useDisableTotp();
  const renew = useRegenerateRecoveryCodes();

  const turnOff = () =>
    confirm({
      title: t('disable.title'),
      text: (
        <>
          {t('disable.text')}
          {user.hasTotpRequiredOrg && (
            <Text size="sm" mt="xs" fw={500} c="var(--pult-danger)">
              {t('disable.organizationWarning')}
            </Text>
          )}
        </>
      ),
      action: t('disable.submit'),
      stays: true,
      run: async () => {
        await disable.mutateAsync();
        showToast({ severity: 'success', summary: t('disable.done') });
      },
    });
  const renewCodes = () =>
    confirm({
      title: t('codes.renewTitle'),
      text: t('codes.renewText'),
      action: t('codes.renew'),
      stays: true,
      run: () => renew.mutateAsync(),
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
            <Button variant="default" onClick={renewCodes}>
              {t('totp.regenerate')}
            </Button>
            <Button variant="outline" color="red" onClick={turnOff}>
              {t('totp.turnOff')}
            </Button>
          </Group>
        </Stack>
      )}
      <RecoveryCodesDialog email={user.email} codes={renew.data?.recoveryCodes} onFinish={renew.reset} />
    </>
  );
}
