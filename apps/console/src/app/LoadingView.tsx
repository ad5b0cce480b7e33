import { Center, Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { AfterDelay } from '../shared/ui/AfterDelay.tsx';

export function LoadingView() {
  const { t } = useTranslation('app');
  return (
    <Center mih="60dvh" role="status" aria-label={t('loading')}>
      <AfterDelay>
        <Loader size="sm" type="dots" />
      </AfterDelay>
    </Center>
  );
}
