import { Button } from '@mantine/core';
import type { InstallationDiagnosis } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { usePultCommand } from '../../../shared/api/use-pult-command.ts';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { QueryState } from '../../../shared/ui/QueryState.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { diagnosisQuery } from '../queries.ts';
import classes from './installation.module.css';
import { StateIcon } from './StateLabel.tsx';

type Finding = InstallationDiagnosis['findings'][number];

/** What the doctor finds: what is wrong in sight, the rest folded. */
export function DoctorSection() {
  const { t } = useTranslation('installation');
  const { formatDate } = useFormat();
  const pult = usePultCommand();
  const query = useQuery(diagnosisQuery);
  const { data, refetch, isFetching } = query;
  const wrong = data?.findings.filter(({ status }) => status !== 'ok') ?? [];
  const well = data?.findings.filter(({ status }) => status === 'ok') ?? [];
  const worstFirst = [
    ...wrong.filter(({ status }) => status === 'fail'),
    ...wrong.filter(({ status }) => status === 'warn'),
  ];
  return (
    <Section
      title={t('doctor.title')}
      description={t('doctor.about', { pult })}
      actions={
        <Button variant="default" size="compact-md" loading={isFetching} onClick={() => void refetch()}>
          {t('doctor.look')}
        </Button>
      }
    >
      <div className={classes.doctor}>
        <QueryState query={query} failure={t('doctor.failed')} rows={4}>
          {({ examinedAt }) => (
            <>
              {worstFirst.length > 0 && <Findings findings={worstFirst} />}
              {well.length > 0 && (
                <details className={classes.more}>
                  <summary>{t('doctor.well', { count: well.length })}</summary>
                  <Findings findings={well} />
                </details>
              )}
              <p className={classes.faint}>
                {t('doctor.lookedAt', { time: formatDate(examinedAt, 'moment') })}
              </p>
            </>
          )}
        </QueryState>
      </div>
    </Section>
  );
}

function Findings({ findings }: { findings: readonly Finding[] }) {
  const { t } = useTranslation('installation');
  return (
    <ul className={classes.findings}>
      {findings.map(({ check, status, text, action }) => (
        <li key={`${check} ${text}`}>
          <StateIcon state={status} />
          <span className={classes.check}>{t(`doctor.check.${check}`)}</span>
          <div className={classes.finding}>
            <span>{text}</span>
            {action && <span className={classes.faint}>{action}</span>}
          </div>
        </li>
      ))}
    </ul>
  );
}
