import { SegmentedControl } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { StatusCounts } from '@pult/contract';
import { type ControllerStatus, controllerStatuses, statusCountOf } from '@pult/contract/values';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import classes from './list-toolbar.module.css';
import { StatusDot } from './StatusLabel.tsx';

interface Props {
  value: ControllerStatus | undefined;
  onChange: (status: ControllerStatus | undefined) => void;
  /** Undefined until known. */
  counts: StatusCounts | undefined;
}

/** Filter and counters in one: each status with how many it would show. */
export function StatusFilter({ value, onChange, counts }: Props) {
  const { t } = useTranslation('controllers');
  const { formatNumber } = useFormat();
  // All of them in sight at once, rather than the last one cut.
  const isPhone = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  const nameOf = (status: ControllerStatus) => {
    if (status === 'never' && isPhone) return t('statusShort.never');
    return t(`status.${status}`);
  };
  const choice = (key: ControllerStatus | 'all') => ({
    value: key,
    label: (
      <span className={classes.choice}>
        {key !== 'all' && <StatusDot status={key} />}
        {key === 'all' ? t('list.all') : nameOf(key)}
        <span className={classes.count}>
          {counts ? formatNumber(counts[key === 'all' ? 'count' : statusCountOf[key]]) : '\u00a0'}
        </span>
      </span>
    ),
  });
  return (
    <SegmentedControl
      aria-label={t('list.statusFilter')}
      className={classes.statuses ?? ''}
      classNames={{ indicator: classes.indicator ?? '' }}
      value={value ?? 'all'}
      onChange={(key) => onChange(controllerStatuses.find((status) => status === key))}
      data={[choice('all'), ...controllerStatuses.map(choice)]}
      transitionDuration={100}
      withItemsBorders={false}
    />
  );
}
