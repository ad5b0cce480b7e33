import type { MqttControl } from '@pult/contract';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../shared/i18n/i18n.ts';
import { writeUnits } from '../control-units.ts';
import { readValue } from '../format-value.ts';
import classes from './data-tab.module.css';

/** Long enough to be seen, in milliseconds. */
const highlight = 1200;

/** A value with its units; one that has just changed is marked for a moment. */
export function ControlValue({ control }: { control: MqttControl }) {
  const { t } = useTranslation('telemetry');
  const locale = useLocale();
  const isFresh = useIsFresh(control.value);
  const shown = readValue(control, locale);
  const units = shown.kind === 'text' ? writeUnits(control, locale) : undefined;
  const text = 'text' in shown ? shown.text : shown.kind === 'none' ? '—' : t(shown.kind);
  return (
    <span className={classes.value} data-kind={shown.kind} data-fresh={isFresh}>
      <bdi>{text}</bdi>
      {units && <bdi className={classes.units}>{units}</bdi>}
    </span>
  );
}

function useIsFresh(value: string | null): boolean {
  const [isFresh, setIsFresh] = useState(false);
  const last = useRef(value);
  useEffect(() => {
    if (last.current === value) return;
    last.current = value;
    setIsFresh(true);
    const timer = setTimeout(() => setIsFresh(false), highlight);
    return () => clearTimeout(timer);
  }, [value]);
  return isFresh;
}
