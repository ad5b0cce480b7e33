import { SegmentedControl } from '@mantine/core';
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
  const choice = (key: ControllerStatus | 'all') => ({
    value: key,
    label: (
      <span className={classes.choice}>
        {key !== 'all' && <StatusDot status={key} />}
        {key === 'all' ? t('list.all') : t(`status.${key}`)}
        <span className={classes.count}>
          {counts ? formatNumber(counts[key === 'all' ? 'count' : statusCountOf[key]]) : ''}
        </span>
      </span>
    ),
  });
  return (
    <SegmentedControl
      aria-label={t('list.statusFilter')}
      className={classes.statuses ?? ''}
      value={value ?? 'all'}
      onChange={(key) => onChange(controllerStatuses.find((status) => status === key))}
      data={[choice('all'), ...controllerStatuses.map(choice)]}
      transitionDuration={100}
      withItemsBorders={false}
    />
  );
}
