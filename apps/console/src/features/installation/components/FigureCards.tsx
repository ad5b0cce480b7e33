import { Progress } from '@mantine/core';
import type { Installation } from '@pult/contract';
import { describeWirenBoardOff, type WirenBoardOff } from '@pult/contract/values';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../shared/i18n/i18n.ts';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { Ago } from '../../../shared/time/Ago.tsx';
import { Mono } from '../../../shared/ui/Mono.tsx';
import { AgentUpdatesCard } from './AgentUpdatesCard.tsx';
import { BackupsCard } from './BackupsCard.tsx';
import { DeliveriesCard } from './DeliveriesCard.tsx';
import classes from './installation.module.css';
import { Figures, PartCard } from './PartCard.tsx';

const running = { problems: [] };

/** Why no Wiren Board controllers are taken, and what to do. */
function WirenBoardOffNote({ off }: { off: WirenBoardOff }) {
  const locale = useLocale();
  const { text, action } = describeWirenBoardOff(off);
  return (
    <p className={classes.hint}>
      {text[locale]} {action[locale]}
    </p>
  );
}

/** The parts that are a few figures each. */
export function FigureCards({ installation }: { installation: Installation }) {
  const { t } = useTranslation('installation');
  const { formatBytes, formatDate, formatNumber } = useFormat();
  const { backups, certificates, disk, database, controllers, deliveries, people } = installation;
  return (
    <>
      <BackupsCard backups={backups} />
      <PartCard title={t('program.title')} part={running}>
        {() => (
          <Figures
            rows={[
              [t('program.version'), <Mono key="version">{installation.version}</Mono>],
              [t('program.started'), <Ago key="started" time={installation.startedAt} />],
              [t('program.node'), <Mono key="node">{installation.node}</Mono>],
            ]}
          />
        )}
      </PartCard>
      <PartCard title={t('controllers.title')} part={controllers}>
        {({ count, countOnline, links, limit, wirenBoardOff }) => (
          <>
            <Figures
              rows={[
                [t('controllers.count'), formatNumber(count)],
                [t('controllers.online'), formatNumber(countOnline)],
                [t('controllers.links'), formatNumber(links)],
                [
                  t('controllers.license'),
                  limit === null
                    ? t('controllers.unlimited')
                    : t('controllers.limit', { used: formatNumber(count), limit: formatNumber(limit) }),
                ],
                [
                  t('controllers.wirenBoard'),
                  t(wirenBoardOff ? 'controllers.notTaken' : 'controllers.taken'),
                ],
              ]}
            />
            {wirenBoardOff && <WirenBoardOffNote off={wirenBoardOff} />}
          </>
        )}
      </PartCard>
      <AgentUpdatesCard agentUpdates={installation.agentUpdates} />
      <PartCard title={t('disk.title')} part={disk}>
        {({ bytes, availableBytes }) => {
          const used = bytes > 0 ? 1 - availableBytes / bytes : 0;
          const share = formatNumber(used, { style: 'percent', maximumFractionDigits: 0 });
          return (
            <>
              <Figures
                rows={[
                  [t('disk.available'), formatBytes(availableBytes)],
                  [t('disk.size'), formatBytes(bytes)],
                ]}
              />
              <Progress className={classes.meter} value={used * 100} aria-label={t('disk.used', { share })} />
              <p className={classes.hint}>{t('disk.used', { share })}</p>
            </>
          );
        }}
      </PartCard>
      <PartCard title={t('database.title')} part={database}>
        {({ version, isEmbedded, bytes, answerMs }) => (
          <Figures
            rows={[
              [t('database.version'), <Mono key="version">{version}</Mono>],
              [t('database.kind'), t(isEmbedded ? 'database.embedded' : 'database.external')],
              [t('database.size'), formatBytes(bytes)],
              [t('database.answer'), t('database.ms', { ms: formatNumber(Math.ceil(answerMs)) })],
            ]}
          />
        )}
      </PartCard>
      <PartCard title={t('certificates.title')} part={certificates}>
        {({ list }) =>
          list.length === 0 ? (
            <p className={classes.hint}>{t('certificates.none')}</p>
          ) : (
            <Figures
              rows={list.map(({ name, validUntil }) => [
                t(`certificates.${name}`),
                t('certificates.until', { date: formatDate(validUntil, 'date') }),
              ])}
            />
          )
        }
      </PartCard>
      <DeliveriesCard deliveries={deliveries} />
      <PartCard title={t('people.title')} part={people}>
        {(counts) => (
          <Figures
            rows={[
              [t('people.organizations'), formatNumber(counts.organizations)],
              [t('people.users'), formatNumber(counts.users)],
              [t('people.usersWithoutTotp'), formatNumber(counts.usersWithoutTotp)],
              [t('people.administrators'), formatNumber(counts.administrators)],
              [t('people.administratorsWithoutTotp'), formatNumber(counts.administratorsWithoutTotp)],
            ]}
          />
        )}
      </PartCard>
    </>
  );
}
