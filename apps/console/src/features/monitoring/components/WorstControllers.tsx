import type { WorstControllers as Worst } from '@pult/contract';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { formatValue, type Unit } from '../../../shared/charts/units.ts';
import { useLocale } from '../../../shared/i18n/i18n.ts';
import { paths } from '../../../shared/paths.ts';
import { ErrorState } from '../../../shared/ui/ErrorState.tsx';
import { FoldingTable } from '../../../shared/ui/FoldingTable.tsx';
import { Mono } from '../../../shared/ui/Mono.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { SkeletonRows } from '../../../shared/ui/SkeletonRows.tsx';
import { StatusLabel } from '../../controllers/index.ts';
import classes from './monitoring.module.css';

interface Props {
  organizationId: string;
  metricName: string;
  unit: Unit;
  query: UseQueryResult<Worst>;
}

/** Where one looks first: the controllers whose figure is worst now. */
export function WorstControllers({ organizationId, metricName, unit, query }: Props) {
  const { t } = useTranslation('monitoring');
  const locale = useLocale();
  const title = t('worstTitle', { metric: metricName });
  const { data, error, refetch } = query;
  return (
    <Section title={title} description={t('worstHint')}>
      {error && !data ? (
        <ErrorState title={t('worstFailed')} error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <SkeletonRows rows={5} />
      ) : data.length === 0 ? (
        <p className={classes.none}>{t('worstEmpty')}</p>
      ) : (
        <FoldingTable className={classes.worst} label={title}>
          <thead>
            <tr>
              <th>{t('serialNumber')}</th>
              <th>{t('description')}</th>
              <th>{t('status')}</th>
              <th data-column="value">{t('value')}</th>
            </tr>
          </thead>
          <tbody>
            {data.map(({ serialNumber, description, status, value }) => (
              <tr key={serialNumber}>
                <td>
                  <Link to={paths.controller(organizationId, serialNumber)} className={classes.serial}>
                    <Mono>{serialNumber}</Mono>
                  </Link>
                </td>
                <td>{description}</td>
                <td>
                  <StatusLabel status={status} />
                </td>
                <td data-column="value" data-label={t('value')}>
                  <b>{formatValue(value, unit, locale)}</b>
                </td>
              </tr>
            ))}
          </tbody>
        </FoldingTable>
      )}
    </Section>
  );
}
