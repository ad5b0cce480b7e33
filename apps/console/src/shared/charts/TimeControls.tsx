import { ActionIcon, SegmentedControl, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconRefresh } from '../icons/IconRefresh.ts';
import classes from './charts.module.css';
import {
  type RangeName,
  type RefreshName,
  rangeNames,
  refreshNames,
  type TimeSearch,
} from './time-search.ts';

interface Props {
  search: TimeSearch;
  onChange: (changes: Partial<TimeSearch>) => void;
  onRefresh: () => void;
  isRefreshing: boolean;
}

/** Which time the charts of a page show, and how often they go on. */
export function TimeControls({ search, onChange, onRefresh, isRefreshing }: Props) {
  const { t } = useTranslation('charts');
  return (
    <div className={classes.controls}>
      <SegmentedControl
        size="xs"
        aria-label={t('range')}
        value={search.range}
        // Of the names below.
        onChange={(range) => onChange({ range: range as RangeName })}
        data={rangeNames.map((value) => ({ value, label: t(`ranges.${value}`) }))}
      />
      <Select
        size="xs"
        className={classes.refresh ?? ''}
        aria-label={t('refresh')}
        value={search.refresh}
        allowDeselect={false}
        onChange={(refresh) => refresh && onChange({ refresh: refresh as RefreshName })}
        data={refreshNames.map((value) => ({ value, label: t(`refreshes.${value}`) }))}
      />
      <ActionIcon
        variant="default"
        size={30}
        aria-label={t('refreshNow')}
        title={t('refreshNow')}
        loading={isRefreshing}
        onClick={onRefresh}
      >
        <IconRefresh size={16} />
      </ActionIcon>
    </div>
  );
}
