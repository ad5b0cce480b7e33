import type { Controller } from '@pult/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { Mono } from '../../../shared/ui/Mono.tsx';
import classes from './controller-view.module.css';
import { LastSeen } from './LastSeen.tsx';

/** What is known about a controller. The device's own words are plain text, set apart from ours. */
export function Facts({ controller }: { controller: Controller }) {
  const { t } = useTranslation('controllers');
  const { formatDate, formatNumber } = useFormat();
  const { group, activatedAt, latitude, longitude } = controller;
  const degrees = (value: number) => formatNumber(value, { maximumFractionDigits: 6 });
  return (
    <dl className={classes.facts}>
      <Fact name={t('fact.group')}>{group ? <bdi>{group.name}</bdi> : t('fact.noGroup')}</Fact>
      <Fact name={t('fact.model')}>
        <Told text={controller.model} />
      </Fact>
      <Fact name={t('fact.firmware')}>
        <Told text={controller.firmwareVersion} mono />
      </Fact>
      <Fact name={t('fact.agent')}>
        <Told text={controller.agentVersion} mono />
      </Fact>
      <Fact name={t('fact.lastSeen')}>
        <LastSeen controller={controller} />
      </Fact>
      <Fact name={t('fact.activated')}>
        <time dateTime={activatedAt}>{formatDate(activatedAt)}</time>
      </Fact>
      <Fact name={t('fact.coordinates')}>
        {latitude === null || longitude === null ? <None /> : `${degrees(latitude)}; ${degrees(longitude)}`}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** What the device says of itself: never markup, and its writing direction stays its own. */
function Told({ text, mono = false }: { text: string; mono?: boolean }) {
  if (!text) return <None />;
  const isolated = <bdi>{text}</bdi>;
  return mono ? <Mono>{isolated}</Mono> : isolated;
}

function None() {
  const { t } = useTranslation('controllers');
  return <span className={classes.placeholder}>{t('fact.none')}</span>;
}
