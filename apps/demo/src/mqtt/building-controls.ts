import { measure, type Switches } from '../panel/panel-values.ts';

interface Control {
  id: string;
  title: { en: string; ru: string };
  type: string;
  units?: string;
  read: (values: Readonly<Record<string, string>>, switches: Switches) => string;
}

interface Device {
  id: string;
  title: { en: string; ru: string };
  controls: readonly Control[];
}

const value = (id: string, en: string, ru: string, units: string, type = 'value'): Control => ({
  id,
  title: { en, ru },
  type,
  units,
  read: (values) => values[id] ?? '',
});
const relay = (id: keyof Switches, en: string, ru: string): Control => ({
  id,
  title: { en, ru },
  type: 'switch',
  read: (_, switches) => (switches[id] ? '1' : '0'),
});

/** What the web page of a demo controller shows, as its MQTT devices. */
const devices: readonly Device[] = [
  {
    id: 'heating',
    title: { en: 'Heating', ru: 'Отопление' },
    controls: [
      value('supply', 'Supply', 'Подача', 'deg C', 'temperature'),
      value('return', 'Return', 'Обратка', 'deg C', 'temperature'),
      value('pressure', 'Pressure', 'Давление', 'bar'),
      relay('pump', 'Pump', 'Насос'),
    ],
  },
  {
    id: 'air',
    title: { en: 'Air', ru: 'Воздух' },
    controls: [
      value('inside', 'Inside', 'Внутри', 'deg C', 'temperature'),
      value('outside', 'Outside', 'Снаружи', 'deg C', 'temperature'),
      value('co2', 'CO₂', 'CO₂', 'ppm', 'concentration'),
      relay('fan', 'Ventilation', 'Вентиляция'),
    ],
  },
  {
    id: 'power',
    title: { en: 'Power', ru: 'Питание' },
    controls: [
      value('mains', 'Mains', 'Сеть', 'V', 'voltage'),
      value('load', 'Load', 'Нагрузка', 'kW', 'power'),
      value('energy', 'Energy meter', 'Счётчик энергии', 'kWh', 'power_consumption'),
      relay('light', 'Light', 'Свет'),
    ],
  },
];

export interface Message {
  topic: string;
  payload: string;
}

/** What describes the devices: the topics named `meta` of the Wiren Board convention. */
export function* describeControls(): Generator<Message> {
  for (const { id, title, controls } of devices) {
    yield { topic: `/devices/${id}/meta`, payload: JSON.stringify({ driver: 'pult-demo', title }) };
    for (const [order, { id: control, title: name, type, units }] of controls.entries()) {
      const meta = { title: name, type, ...(units ? { units } : {}), order, readonly: true };
      yield { topic: `/devices/${id}/controls/${control}/meta`, payload: JSON.stringify(meta) };
    }
  }
}

/** The values of a moment. */
export function* readControls(switches: Switches, now: number): Generator<Message> {
  for (const { device, control, value: payload } of readValues(switches, now))
    yield { topic: `/devices/${device}/controls/${control}`, payload };
}

export function* readValues(
  switches: Switches,
  now: number,
): Generator<{ device: string; control: string; value: string }> {
  const values = measure(switches, now);
  for (const { id: device, controls } of devices)
    for (const { id: control, read } of controls) yield { device, control, value: read(values, switches) };
}
