import { Button } from '@mantine/core';
import type { Installation } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { FoldingTable } from '../../../shared/ui/FoldingTable.tsx';
import { Mono } from '../../../shared/ui/Mono.tsx';
import { useRetryJob } from '../queries.ts';
import { Ago } from './Ago.tsx';
import classes from './installation.module.css';
import { Figures, PartCard } from './PartCard.tsx';

type Jobs = NonNullable<Installation['jobs']>;

export function JobsCard({ jobs }: Pick<Installation, 'jobs'>) {
  const { t } = useTranslation('installation');
  const { formatNumber } = useFormat();
  return (
    <PartCard title={t('jobs.title')} part={jobs} isWide>
      {({ failures, recurring, ...counts }) => (
        <div className={classes.jobs}>
          <Figures
            rows={(['waiting', 'due', 'running', 'failed'] as const).map((state) => [
              t(`jobs.${state}`),
              formatNumber(counts[state]),
            ])}
          />
          {failures.length > 0 && <FailedJobs failures={failures} />}
          <details className={classes.more}>
            <summary>{t('jobs.recurring')}</summary>
            <RecurringJobs recurring={recurring} />
          </details>
        </div>
      )}
    </PartCard>
  );
}

function FailedJobs({ failures }: Pick<Jobs, 'failures'>) {
  const { t } = useTranslation('installation');
  const retry = useRetryJob();
  return (
    <FoldingTable label={t('jobs.failures')} className={classes.table}>
      <thead>
        <tr>
          <th>{t('jobs.name')}</th>
          <th>{t('jobs.failedAt')}</th>
          <th>{t('jobs.error')}</th>
          <th />
        </tr>
      </thead>
      <tbody>
        {failures.map(({ id, name, failedAt, error, isGivenUp }) => (
          <tr key={id}>
            <th scope="row">
              <Mono>{name}</Mono>
            </th>
            <td data-column="time">
              <Ago time={failedAt} />
            </td>
            <td>
              <span className={classes.error}>{error}</span>
              <span className={isGivenUp ? classes.bad : classes.faint}>
                {t(isGivenUp ? 'jobs.givenUp' : 'jobs.willRetry')}
              </span>
            </td>
            <td data-column="action">
              <Button
                variant="default"
                size="compact-sm"
                aria-label={t('jobs.retryNamed', { name })}
                loading={retry.isPending && retry.variables === id}
                onClick={() => retry.mutate(id)}
              >
                {t('jobs.retry')}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </FoldingTable>
  );
}

function RecurringJobs({ recurring }: Pick<Jobs, 'recurring'>) {
  const { t } = useTranslation('installation');
  return (
    <FoldingTable label={t('jobs.recurring')} className={classes.table}>
      <thead>
        <tr>
          <th>{t('jobs.name')}</th>
          <th>{t('jobs.schedule')}</th>
          <th>{t('jobs.lastRun')}</th>
        </tr>
      </thead>
      <tbody>
        {recurring.map(({ name, schedule, lastRunAt }) => (
          <tr key={name}>
            <th scope="row">
              <Mono>{name}</Mono>
            </th>
            <td data-label={t('jobs.schedule')}>
              <Mono>{schedule}</Mono>
            </td>
            <td data-label={t('jobs.lastRun')}>{lastRunAt ? <Ago time={lastRunAt} /> : t('jobs.never')}</td>
          </tr>
        ))}
      </tbody>
    </FoldingTable>
  );
}
