import { Button } from '@mantine/core';
import type { PasskeyProof } from '@pult/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { isCancelled, provePasskey } from './webauthn.ts';

interface Props {
  use: 'login' | 'code';
  disabled: boolean;
  onProof: (passkey: PasskeyProof) => void;
}

/** Asks the browser for a passkey. */
export function PasskeyButton({ use, disabled, onProof }: Props) {
  const { t } = useTranslation('accounts');
  const [isAsking, setIsAsking] = useState(false);
  const ask = async () => {
    setIsAsking(true);
    try {
      onProof(await provePasskey());
    } catch (error) {
      if (!isCancelled(error)) showToast({ severity: 'error', summary: t('passkey.failed') });
    } finally {
      setIsAsking(false);
    }
  };
  return (
    <Button
      type="button"
      variant="default"
      fullWidth
      loading={isAsking}
      disabled={disabled}
      onClick={() => void ask()}
    >
      {t(`passkey.${use}`)}
    </Button>
  );
}
