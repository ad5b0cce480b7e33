import { Center, Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { AfterDelay } from '../../../shared/ui/AfterDelay.tsx';

export function TerminalLoading() {
  const { t } = useTranslation('tunnels');
  return (
    <AfterDelay>
      <Center component="main" mih="100dvh" role="status" aria-label={t('terminal.loading')}>
        <Loader size="sm" />
      </Center>
    </AfterDelay>
  );
}
