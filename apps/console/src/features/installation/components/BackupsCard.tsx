import { Button, Loader } from '@mantine/core';
import type { Installation } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { Ago } from '../../../shared/time/Ago.tsx';
import { useCreateBackup } from '../queries.ts';
import classes from './installation.module.css';
import { Figures, PartCard } from './PartCard.tsx';

export function BackupsCard({ backups }: Pick<Installation, 'backups'>) {
  const { t } = useTranslation('installation');
  const { formatBytes, formatDate } = useFormat();
  const create = useCreateBackup();
  return (
    <PartCard title={t('backups.title')} part={backups}>
      {({ lastSuccess, lastFailure, runs, nextAt, isScheduled, isEncrypted, isUnderWay, place }) => (
        <>
          <Figures
            rows={[
              [t('backups.last'), lastSuccess ? <Ago key="last" time={lastSuccess.at} /> : t('backups.none')],
              ...(lastSuccess
                ? ([
                    [t('backups.size'), formatBytes(lastSuccess.bytes)],
                    [t('backups.checked'), t('backups.checkedBy')],
                  ] as const)
                : []),
              [t('backups.next'), isScheduled && nextAt ? formatDate(nextAt) : t('backups.byHand')],
              [t('backups.place'), t(`backups.${place}`)],
              [t('backups.encryption'), t(isEncrypted ? 'backups.encrypted' : 'backups.plain')],
            ]}
          />
          {lastFailure && (
            <p className={classes.failure}>
              <strong>{t('backups.failure', { time: formatDate(lastFailure.at) })}</strong>
              <span>{lastFailure.reason}</span>
            </p>
          )}
          {runs.length > 0 && <BackupRuns runs={runs} />}
          <div className={classes.cardFoot}>
            {isUnderWay ? (
              <span className={classes.underWay} role="status">
                <Loader size={14} />
                {t('backups.underWay')}
              </span>
            ) : (
              <Button
                variant="default"
                size="compact-md"
                loading={create.isPending}
                onClick={() => create.mutate()}
              >
                {t('backups.now')}
              </Button>
            )}
          </div>
        </>
      )}
    </PartCard>
  );
}

/** The newest ones: when, how and by whom, how large, and how it ended. */
function BackupRuns({ runs }: Pick<NonNullable<Installation['backups']>, 'runs'>) {
  const { t } = useTranslation('installation');
  const { formatBytes } = useFormat();
  return (
    <details className={classes.more}>
      <summary>{t('backups.runs')}</summary>
      <ul className={classes.runs} aria-label={t('backups.runs')}>
        {runs.map(({ name, startedAt, origin, requestedBy, status, bytes, reason }) => (
          <li key={`${name} ${startedAt}`}>
            <span className={classes.runHead}>
              <Ago time={startedAt} />
              <span data-status={status}>{t(`backups.status.${status}`)}</span>
              {bytes !== null && <span>{formatBytes(bytes)}</span>}
            </span>
            <span className={classes.hint}>
              {t(`backups.origin.${origin}`)}
              {requestedBy !== null && (
                <>
                  {', '}
                  <bdi>{requestedBy}</bdi>
                </>
              )}
              {' · '}
              <bdi>{name}</bdi>
            </span>
            {reason !== null && <span className={classes.error}>{reason}</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}
