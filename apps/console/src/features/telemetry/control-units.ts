import type { Locale, MqttControl } from '@pult/contract';

/** What controls of these types are measured in where they do not say it, as Wiren Board's convention of MQTT topics has it. */
const unitsOfTypes: Readonly<Record<string, string>> = {
  temperature: 'deg C',
  rel_humidity: '%, RH',
  atmospheric_pressure: 'mbar',
  rainfall: 'mm/h',
  wind_speed: 'm/s',
  power: 'W',
  power_consumption: 'kWh',
  voltage: 'V',
  current: 'A',
  water_flow: 'm^3/h',
  water_consumption: 'm^3',
  resistance: 'Ohm',
  concentration: 'ppm',
  heat_power: 'Gcal/h',
  heat_energy: 'Gcal',
  pressure: 'bar',
  lux: 'lx',
  sound_level: 'dB',
};

/** Units as that convention and drivers spell them, and as people write them: in both languages, or in English and Russian. */
const written: Readonly<Record<string, string | readonly [en: string, ru: string]>> = {
  'deg C': '°C',
  deg: '°',
  '%, RH': '%',
  'mm/h': ['mm/h', 'мм/ч'],
  mm: ['mm', 'мм'],
  m: ['m', 'м'],
  'm/s': ['m/s', 'м/с'],
  'm^2': ['m²', 'м²'],
  'm^3': ['m³', 'м³'],
  'm^3/h': ['m³/h', 'м³/ч'],
  l: ['l', 'л'],
  'l/min': ['l/min', 'л/мин'],
  W: ['W', 'Вт'],
  kW: ['kW', 'кВт'],
  kWh: ['kWh', 'кВт·ч'],
  Wh: ['Wh', 'Вт·ч'],
  VA: ['VA', 'ВА'],
  kVA: ['kVA', 'кВА'],
  var: ['var', 'вар'],
  kvar: ['kvar', 'квар'],
  kvarh: ['kvarh', 'квар·ч'],
  V: ['V', 'В'],
  mV: ['mV', 'мВ'],
  A: ['A', 'А'],
  mA: ['mA', 'мА'],
  Ohm: ['Ω', 'Ом'],
  mOhm: ['mΩ', 'мОм'],
  kOhm: ['kΩ', 'кОм'],
  Hz: ['Hz', 'Гц'],
  rpm: ['rpm', 'об/мин'],
  Pa: ['Pa', 'Па'],
  kPa: ['kPa', 'кПа'],
  bar: ['bar', 'бар'],
  mbar: ['mbar', 'мбар'],
  mmHg: ['mmHg', 'мм рт. ст.'],
  lx: ['lx', 'лк'],
  lux: ['lx', 'лк'],
  cd: ['cd', 'кд'],
  dB: ['dB', 'дБ'],
  Gcal: ['Gcal', 'Гкал'],
  'Gcal/h': ['Gcal/h', 'Гкал/ч'],
  s: ['s', 'с'],
  ms: ['ms', 'мс'],
  min: ['min', 'мин'],
  h: ['h', 'ч'],
  MiB: ['MiB', 'МиБ'],
  kg: ['kg', 'кг'],
};

/** The units of a control as people write them; as the device spells them where that is not known; undefined for none. */
export function writeUnits(
  { type, units }: Pick<MqttControl, 'type' | 'units'>,
  locale: Locale,
): string | undefined {
  const spelled =
    units ?? (type !== null && Object.hasOwn(unitsOfTypes, type) ? unitsOfTypes[type] : undefined);
  if (!spelled) return undefined;
  const known = Object.hasOwn(written, spelled) ? written[spelled] : undefined;
  if (known === undefined || typeof known === 'string') return known ?? spelled;
  return known[locale === 'ru' ? 1 : 0];
}
