import type { Locale, MqttControl } from '@pult/contract';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../shared/i18n/format.ts';
import { useLocale } from '../../shared/i18n/i18n.ts';
import type { HistoryControl } from '../history/index.ts';
import { writeUnits } from './control-units.ts';
import type { MqttDevice } from './find-controls.ts';
import { isState, readValue } from './format-value.ts';

/** Whether the server keeps what it was: numbers, switches and enumerations that have a type. */
export function hasHistory({ type }: Pick<MqttControl, 'type'>): boolean {
  return type !== null && type !== 'text' && type !== 'rgb';
}

interface Words {
  locale: Locale;
  t: TFunction<'telemetry'>;
}

interface Found {
  device: MqttDevice;
  control: MqttControl;
}

function find(devices: readonly MqttDevice[], name: string): Found | undefined {
  const split = name.indexOf('/');
  const device = devices.find(({ id }) => id === name.slice(0, split));
  const control = device?.controls.find(({ id }) => id === name.slice(split + 1));
  return device && control && hasHistory(control) ? { device, control } : undefined;
}

function describe({ device, control }: Found, words: Words): HistoryControl {
  const isSwitch = isState(control.type);
  const marks = control.enum
    ? Object.keys(control.enum).map(Number).filter(Number.isFinite)
    : isSwitch
      ? [0, 1]
      : undefined;
  return {
    device: device.id,
    control: control.id,
    title: control.title,
    deviceTitle: device.title,
    kind: control.enum ? 'enumeration' : isSwitch ? 'switch' : 'number',
    unit: { write: (value) => write(control, value, words), ...(marks ? { marks } : {}) },
  };
}

/** The control whose history the address says is open, `device/control`; undefined where there is none. The same one while only values change. */
export function useHistoryControl(devices: readonly MqttDevice[], name: string): HistoryControl | undefined {
  const { t } = useTranslation('telemetry');
  const locale = useLocale();
  const found = find(devices, name);
  const { title, type, units, enum: titles } = found?.control ?? {};
  const look = JSON.stringify([name, found?.device.title, title, type, units, titles]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `look` is of what is found, but for its value
  return useMemo(() => found && describe(found, { locale, t }), [look, locale, t]);
}

/** As the value of the control would be shown; a mean has up to two digits behind the point. */
function write(control: MqttControl, value: number, { locale, t }: Words): string {
  if (control.enum || isState(control.type)) {
    const shown = readValue({ ...control, value: String(value) }, locale);
    return 'text' in shown ? shown.text : shown.kind === 'none' ? '—' : t(shown.kind);
  }
  const units = writeUnits(control, locale);
  const text = formatNumber(value, locale, { maximumFractionDigits: Math.abs(value) < 1 ? 3 : 2 });
  return units === undefined ? text : `${text} ${units}`;
}
