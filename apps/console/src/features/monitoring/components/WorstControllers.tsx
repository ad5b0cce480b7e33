import type { WorstControllers as Worst } from '@pult/contract';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { formatValue, type Unit } from '../../../shared/charts/units.ts';
import { useLocale } from '../../../shared/i18n/i18n.ts';
import { paths } from '../../../shared/paths.ts';
import { PlainTable } from '../../../shared/ui/DataTable.tsx';
import { Mono } from '../../../shared/ui/Mono.tsx';
import { QueryState } from '../../../shared/ui/QueryState.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
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
  return (
    <Section title={title} description={t('worstHint')}>
      <QueryState
        query={query}
        failure={t('worstFailed')}
        rows={5}
        empty={<p className={classes.none}>{t('worstEmpty')}</p>}
      >
        {(rows) => (
          <PlainTable
            className={classes.worst}
            label={title}
            rows={rows}
            keyOf={({ serialNumber }) => serialNumber}
            columns={[
              {
                name: 'serial',
                title: t('serialNumber'),
                isPlain: true,
                cell: ({ serialNumber }) => (
                  <Link to={paths.controller(organizationId, serialNumber)} className={classes.serial}>
                    <Mono>{serialNumber}</Mono>
                  </Link>
                ),
              },
              {
                name: 'description',
                title: t('description'),
                isPlain: true,
                cell: ({ description }) => description,
              },
              {
                name: 'status',
                title: t('status'),
                isPlain: true,
                cell: ({ status }) => <StatusLabel status={status} />,
              },
              {
                name: 'value',
                title: t('value'),
                look: 'figure',
                cell: ({ value }) => <b>{formatValue(value, unit, locale)}</b>,
              },
            ]}
          />
        )}
      </QueryState>
    </Section>
  );
}
