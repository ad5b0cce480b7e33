import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { useActivateTotp, useSetUpTotp } from '../security/queries.ts';
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx';
import { SetUpTotpDialog } from './SetUpTotpDialog.tsx';

interface Props {
  email: string;
  /** Not once the second factor is on; its recovery codes still are, until they are saved. */
  isShown: boolean;
}

export function TotpOff({ email, isShown }: Props) {
  const { t } = useTranslation('security');
  const [opened, dialog] = useDisclosure();
  const setUp = useSetUpTotp();
  const activate = useActivateTotp();
  const start = () => {
    activate.reset();
    setUp.mutate();
    dialog.open();
  };
  const finish = () => {
    activate.reset();
    showToast({ severity: 'success', summary: t('setUp.done') });
  };
  return (
    <>
      {isShown && <Button onClick={start}>{t('totp.setUp')}</Button>}
      <SetUpTotpDialog opened={opened} setUp={setUp} activate={activate} onClose={dialog.close} />
      <RecoveryCodesDialog email={email} codes={activate.data?.recoveryCodes} onFinish={finish} />
    </>
  );
}
