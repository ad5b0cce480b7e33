import { Skeleton, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { AfterDelay } from './AfterDelay.tsx';

const gap = 16;

interface Props {
  rows?: number | undefined;
  height?: number | undefined;
}

/** The outline of a list or table that is loading. It has its place at once, and is seen after a moment. */
export function SkeletonRows({ rows = 8, height = 20 }: Props) {
  const { t } = useTranslation('shared');
  return (
    <div style={{ width: '100%', minHeight: rows * (height + gap) - gap }}>
      <AfterDelay>
        <Stack gap={gap} role="status" aria-label={t('loading')}>
          {Array.from({ length: rows }, (_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
            <Skeleton key={row} height={height} width={`${96 - ((row * 7) % 24)}%`} />
          ))}
        </Stack>
      </AfterDelay>
    </div>
  );
}
