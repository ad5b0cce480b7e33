import { Button, Loader } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { IconFocusCentered } from '../../../shared/icons/IconFocusCentered.ts';
import { IconMapPinOff } from '../../../shared/icons/IconMapPinOff.ts';
import { paths } from '../../../shared/paths.ts';
import { AfterDelay } from '../../../shared/ui/AfterDelay.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { ErrorState } from '../../../shared/ui/ErrorState.tsx';
import { filterSearch } from '../../controllers/index.ts';
import type { useMapFeatures } from '../use-map-features.ts';
import { useMapSearch } from '../use-map-search.ts';
import classes from './map-state.module.css';

interface Props {
  fleet: ReturnType<typeof useMapFeatures>;
  /** How many match, with coordinates or without. */
  matching: number | undefined;
  isFiltered: boolean;
  organizationId: string;
  onShowAll: () => void;
}

/** What the markers do not say: how many they are, what is missing, and why there are none. */
export function MapState({ fleet, matching, isFiltered, organizationId, onShowAll }: Props) {
  const { t } = useTranslation(['map', 'controllers']);
  const { formatNumber } = useFormat();
  const { search } = useMapSearch();
  const { features, count, error, retry, isLoading } = fleet;
  if (error && !features) {
    return (
      <div className={classes.over}>
        <ErrorState title={t('loadFailed')} error={error} onRetry={retry} />
      </div>
    );
  }
  if (count === undefined) {
    return (
      <AfterDelay>
        <div className={classes.line} role="status">
          <Loader size={14} /> {t('loading')}
        </div>
      </AfterDelay>
    );
  }
  if (count === 0) {
    const isNoMatch = matching === 0 && isFiltered;
    return (
      <div className={classes.over}>
        <EmptyState
          icon={<IconMapPinOff size={32} stroke={1.4} />}
          title={isNoMatch ? t('noMatch.title', { ns: 'controllers' }) : t('nowhere.title')}
        >
          {isNoMatch
            ? t('noMatch.text', { ns: 'controllers' })
            : t(isFiltered ? 'nowhere.filteredText' : 'nowhere.text')}
        </EmptyState>
      </div>
    );
  }
  const without = Math.max(0, (matching ?? count) - count);
  return (
    <div className={classes.line} aria-live="polite">
      <span>
        {t('onMap', { count, formatted: formatNumber(count) })}
        {without > 0 && ' · '}
        {without > 0 && (
          <Link
            className={classes.link}
            to={paths.controllers(organizationId)}
            search={{ ...filterSearch.write(search), located: 'false' }}
          >
            {t('withoutPlace', { formatted: formatNumber(without) })}
          </Link>
        )}
      </span>
      {isLoading && (
        <AfterDelay delay={400}>
          <Loader size={12} aria-label={t('loading')} />
        </AfterDelay>
      )}
      <Button
        size="compact-xs"
        variant="subtle"
        leftSection={<IconFocusCentered size={14} />}
        aria-label={t('showAll')}
        onClick={onShowAll}
      >
        <span className={classes.word}>{t('showAll')}</span>
      </Button>
    </div>
  );
}
