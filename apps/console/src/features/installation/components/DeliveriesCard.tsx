import type { Installation } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import classes from './installation.module.css';
import { Figures, PartCard } from './PartCard.tsx';

const knownChannels = ['mail', 'webhook', 'telegram', 'slack', 'event-webhook'] as const;

export function DeliveriesCard({ deliveries }: Pick<Installation, 'deliveries'>) {
  const { t } = useTranslation('installation');
  const { formatDate } = useFormat();
  const nameOf = (channel: string) => {
    const known = knownChannels.find((each) => each === channel);
    return known ? t(`deliveries.channel.${known}`) : channel;
  };
  return (
    <PartCard title={t('deliveries.title')} part={deliveries}>
      {({ channels }) => {
        const open = channels.filter(({ waiting, refused }) => waiting + refused > 0);
        if (open.length === 0) return <p className={classes.hint}>{t('deliveries.none')}</p>;
        return (
          <Figures
            rows={open.map(({ channel, waiting, refused, oldestWaitingAt }) => [
              nameOf(channel),
              <span key={channel} className={classes.lines}>
                {waiting > 0 && <span>{t('deliveries.waiting', { count: waiting })}</span>}
                {waiting > 0 && oldestWaitingAt && (
                  <span className={classes.faint}>
                    {t('deliveries.since', { time: formatDate(oldestWaitingAt) })}
                  </span>
                )}
                {refused > 0 && (
                  <span className={classes.bad}>{t('deliveries.refused', { count: refused })}</span>
                )}
              </span>,
            ])}
          />
        );
      }}
    </PartCard>
  );
}
