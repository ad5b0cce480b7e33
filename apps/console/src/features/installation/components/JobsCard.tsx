import { Button } from '@mantine/core';
import type { Installation } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { Ago } from '../../../shared/time/Ago.tsx';
import { PlainTable } from '../../../shared/ui/DataTable.tsx';
import { Mono } from '../../../shared/ui/Mono.tsx';
import { useRetryJob } from '../queries.ts';
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
    <PlainTable
      className={classes.table}
      label={t('jobs.failures')}
      rows={failures}
      keyOf={({ id }) => id}
      columns={[
        { name: 'name', title: t('jobs.name'), isHead: true, cell: ({ name }) => <Mono>{name}</Mono> },
        {
          name: 'time',
          title: t('jobs.failedAt'),
          isPlain: true,
          cell: ({ failedAt }) => <Ago time={failedAt} />,
        },
        {
          name: 'error',
          title: t('jobs.error'),
          isPlain: true,
          cell: ({ error, isGivenUp }) => (
            <>
              <span className={classes.error}>{error}</span>
              <span className={isGivenUp ? classes.bad : classes.faint}>
                {t(isGivenUp ? 'jobs.givenUp' : 'jobs.willRetry')}
              </span>
            </>
          ),
        },
        {
          name: 'retry',
          look: 'action',
          cell: ({ id, name }) => (
            <Button
              variant="default"
              size="compact-sm"
              aria-label={t('jobs.retryNamed', { name })}
              loading={retry.isPending && retry.variables === id}
              onClick={() => retry.mutate(id)}
            >
              {t('jobs.retry')}
            </Button>
          ),
        },
      ]}
    />
  );
}

function RecurringJobs({ recurring }: Pick<Jobs, 'recurring'>) {
  const { t } = useTranslation('installation');
  return (
    <PlainTable
      className={classes.table}
      label={t('jobs.recurring')}
      rows={recurring}
      keyOf={({ name }) => name}
      columns={[
        { name: 'name', title: t('jobs.name'), isHead: true, cell: ({ name }) => <Mono>{name}</Mono> },
        { name: 'schedule', title: t('jobs.schedule'), cell: ({ schedule }) => <Mono>{schedule}</Mono> },
        {
          name: 'last',
          title: t('jobs.lastRun'),
          cell: ({ lastRunAt }) => (lastRunAt ? <Ago time={lastRunAt} /> : t('jobs.never')),
        },
      ]}
    />
  );
}
