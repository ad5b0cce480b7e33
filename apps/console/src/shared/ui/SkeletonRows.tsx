import { Skeleton, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { AfterDelay } from './AfterDelay.tsx';

interface Props {
  rows?: number;
  height?: number;
}

/** The outline of a list or table that is loading. */
export function SkeletonRows({ rows = 8, height = 20 }: Props) {
  const { t } = useTranslation('shared');
  return (
    <AfterDelay>
      <Stack gap={16} role="status" aria-label={t('loading')}>
        {Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
          <Skeleton key={row} height={height} width={`${96 - ((row * 7) % 24)}%`} />
        ))}
      </Stack>
    </AfterDelay>
  );
}
