import { Tooltip } from '@mantine/core';
import type { MqttControl } from '@pult/contract';
import { memo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconAlertTriangle } from '../../../shared/icons/IconAlertTriangle.ts';
import { IconChartLine } from '../../../shared/icons/IconChartLine.ts';
import { IconLock } from '../../../shared/icons/IconLock.ts';
import { Ago } from '../../../shared/time/Ago.tsx';
import { CopyButton } from '../../../shared/ui/CopyButton.tsx';
import { topicOf } from '../find-controls.ts';
import { readErrors } from '../format-value.ts';
import { hasHistory } from '../history-control.ts';
import { ControlValue } from './ControlValue.tsx';
import classes from './data-tab.module.css';

interface Props {
  deviceId: string;
  control: MqttControl;
  onOpenHistory: (history: string) => void;
}

const errorTexts = { read: 'errorRead', write: 'errorWrite', poll: 'errorPoll' } as const;

/** Drawn anew only when its own control has changed: a device may tell thousands. */
export const ControlRow = memo(function ControlRow({ deviceId, control, onOpenHistory }: Props) {
  const { t } = useTranslation('telemetry');
  const topicElement = useRef<HTMLElement>(null);
  const topic = topicOf(deviceId, control.id);
  const errors = readErrors(control.error).map((error) =>
    typeof error === 'string' ? t(errorTexts[error]) : t('errorOther', { error: error.text }),
  );
  return (
    <tr data-error={errors.length > 0}>
      <td>
        <span className={classes.name}>
          {hasHistory(control) ? (
            <button
              type="button"
              className={classes.open}
              aria-label={t('openHistory', { title: control.title })}
              title={t('openHistory', { title: control.title })}
              onClick={() => onOpenHistory(`${deviceId}/${control.id}`)}
            >
              <bdi>{control.title}</bdi>
              <IconChartLine size={14} aria-hidden />
            </button>
          ) : (
            <bdi>{control.title}</bdi>
          )}
          {control.readonly && (
            <Tooltip label={t('readonly')}>
              <IconLock size={13} className={classes.lock} aria-label={t('readonly')} />
            </Tooltip>
          )}
        </span>
        <span className={classes.topic}>
          <code ref={topicElement}>{topic}</code>
          <CopyButton text={topic} source={topicElement} label={t('copyTopic', { topic })} />
        </span>
        {errors.map((error) => (
          <span key={error} className={classes.error}>
            <IconAlertTriangle size={14} aria-hidden /> {error}
          </span>
        ))}
      </td>
      <td data-column="value" data-label={t('value')}>
        <ControlValue control={control} />
      </td>
      <td data-column="age" data-label={t('age')}>
        {control.updatedAt === null ? <span>{t('never')}</span> : <Ago time={control.updatedAt} />}
      </td>
    </tr>
  );
});
