import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { AfterDelay } from '../../../shared/ui/AfterDelay.tsx';
import classes from './overview.module.css';

/** As high as what mostly comes: lines and a head of each part. */
const parts = [
  [302, 466, 326, 264],
  [245, 311, 460, 311],
];

/** The page while it loads. */
export function Outline() {
  const { t } = useTranslation('shared');
  return (
    <div className={classes.outline} role="status" aria-label={t('loading')}>
      <div className={classes.statuses}>
        <AfterDelay>
          <Skeleton height={20} width={420} maw="100%" />
        </AfterDelay>
      </div>
      <div className={classes.columns}>
        {parts.map((heights) => (
          <div key={heights.join()} className={classes.column}>
            {heights.map((height, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they have nothing but their place
              <div key={index} style={{ height }}>
                <AfterDelay>
                  <Skeleton height={height} radius={6} />
                </AfterDelay>
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
