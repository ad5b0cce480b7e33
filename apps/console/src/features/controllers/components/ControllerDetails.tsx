import type { Controller } from '@pult/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { Mono } from '../../../shared/ui/Mono.tsx';
import classes from './controller-view.module.css';
import { LastSeen } from './LastSeen.tsx';

/** The details of a controller. What the device reports is plain text, set apart from ours. */
export function ControllerDetails({ controller }: { controller: Controller }) {
  const { t } = useTranslation('controllers');
  const { formatDate, formatNumber } = useFormat();
  const { group, activatedAt, latitude, longitude } = controller;
  const degrees = (value: number) => formatNumber(value, { maximumFractionDigits: 6 });
  return (
    <dl className={classes.details}>
      <Detail name={t('detail.group')}>{group ? <bdi>{group.name}</bdi> : t('detail.noGroup')}</Detail>
      <Detail name={t('detail.model')}>
        <ReportedValue text={controller.model} />
      </Detail>
      <Detail name={t('detail.firmware')}>
        <ReportedValue text={controller.firmwareVersion} mono />
      </Detail>
      <Detail name={t('detail.agent')}>
        <ReportedValue text={controller.agentVersion} mono />
      </Detail>
      <Detail name={t('detail.lastSeen')}>
        <LastSeen controller={controller} />
      </Detail>
      <Detail name={t('detail.activated')}>
        <time dateTime={activatedAt}>{formatDate(activatedAt)}</time>
      </Detail>
      <Detail name={t('detail.coordinates')}>
        {latitude === null || longitude === null ? <None /> : `${degrees(latitude)}; ${degrees(longitude)}`}
      </Detail>
    </dl>
  );
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** What the device reports of itself: never markup, and its writing direction stays its own. */
function ReportedValue({ text, mono = false }: { text: string; mono?: boolean }) {
  if (!text) return <None />;
  const isolated = <bdi>{text}</bdi>;
  return mono ? <Mono>{isolated}</Mono> : isolated;
}

function None() {
  const { t } = useTranslation('controllers');
  return <span className={classes.placeholder}>{t('detail.none')}</span>;
}
