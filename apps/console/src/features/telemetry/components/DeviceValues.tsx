import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { IconChevronRight } from '../../../shared/icons/IconChevronRight.ts';
import { FoldingTable } from '../../../shared/ui/FoldingTable.tsx';
import type { MqttDevice } from '../find-controls.ts';
import { ControlRow } from './ControlRow.tsx';
import classes from './data-tab.module.css';

interface Props {
  device: MqttDevice;
  /** Until somebody opens or closes it. */
  isOpenAtFirst: boolean;
  onOpenHistory: (history: string) => void;
}

/** One device behind the controller's broker, with its controls. */
export function DeviceValues({ device, isOpenAtFirst, onOpenHistory }: Props) {
  const { t } = useTranslation('telemetry');
  const { formatNumber } = useFormat();
  const [choice, setChoice] = useState<boolean>();
  const isOpen = choice ?? isOpenAtFirst;
  const { id, title, controls } = device;
  const errors = controls.filter(({ error }) => error).length;
  return (
    <section className={classes.device} aria-label={title}>
      <h2 className={classes.deviceHead}>
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={isOpen}
          onClick={() => setChoice(!isOpen)}
        >
          <IconChevronRight size={16} className={classes.chevron} aria-hidden />
          <bdi className={classes.deviceTitle}>{title}</bdi>
          {title !== id && <code className={classes.id}>{id}</code>}
          <span className={classes.count}>
            {t('controls', { count: controls.length, formatted: formatNumber(controls.length) })}
          </span>
          {errors > 0 && (
            <span className={classes.errorCount}>
              {t('errors', { count: errors, formatted: formatNumber(errors) })}
            </span>
          )}
        </button>
      </h2>
      {isOpen && (
        <FoldingTable label={title} className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('control')}</th>
              <th scope="col" data-column="value">
                {t('value')}
              </th>
              <th scope="col" data-column="age">
                {t('age')}
              </th>
            </tr>
          </thead>
          <tbody>
            {controls.map((control) => (
              <ControlRow key={control.id} deviceId={id} control={control} onOpenHistory={onOpenHistory} />
            ))}
          </tbody>
        </FoldingTable>
      )}
    </section>
  );
}
