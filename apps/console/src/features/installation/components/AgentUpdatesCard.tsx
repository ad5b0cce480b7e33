import { Button } from '@mantine/core';
import type { Installation } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { Mono } from '../../../shared/ui/Mono.tsx';
import { useResumeAgentUpdates } from '../queries.ts';
import classes from './installation.module.css';
import { Figures, PartCard } from './PartCard.tsx';

type Wave = NonNullable<NonNullable<Installation['agentUpdates']>['wave']>;

/** How far the version of the agent is that the server hands out, and why it goes no further. */
export function AgentUpdatesCard({ agentUpdates }: Pick<Installation, 'agentUpdates'>) {
  const { t } = useTranslation('installation');
  const { formatNumber } = useFormat();
  return (
    <PartCard title={t('agents.title')} part={agentUpdates}>
      {({ version, agents, older, isAutomatic, wave }) => (
        <>
          <Figures
            rows={[
              [t('agents.version'), version ? <Mono key="version">{version}</Mono> : t('agents.none')],
              [t('agents.all'), formatNumber(agents)],
              ...(version ? [[t('agents.older'), formatNumber(older)] as const] : []),
              [t('agents.updates'), t(isAutomatic ? 'agents.automatic' : 'agents.byHand')],
              ...(wave
                ? ([
                    [t('agents.wave'), formatNumber(wave.share, { style: 'percent' })],
                    [t('agents.begun'), formatNumber(wave.begun)],
                    [t('agents.underWay'), formatNumber(wave.underWay)],
                  ] as const)
                : []),
            ]}
          />
          {wave?.stopped && <StoppedUpdates stopped={wave.stopped} />}
        </>
      )}
    </PartCard>
  );
}

function StoppedUpdates({ stopped }: { stopped: NonNullable<Wave['stopped']> }) {
  const { t } = useTranslation('installation');
  const { formatDate } = useFormat();
  const resume = useResumeAgentUpdates();
  const { at, reason, detail } = stopped;
  return (
    <>
      <p className={classes.failure}>
        <strong>{t('agents.stopped', { time: formatDate(at) })}</strong>
        <span>{t(`agents.reason.${reason}`)}</span>
        {detail !== null && <bdi>{t('agents.detail', { detail })}</bdi>}
      </p>
      <div className={classes.cardFoot}>
        <Button
          variant="default"
          size="compact-md"
          loading={resume.isPending}
          onClick={() => resume.mutate()}
        >
          {t('agents.resume')}
        </Button>
      </div>
    </>
  );
}
