import type { MetricName } from '../../device-data.ts';

const MEBIBYTE = 1024 * 1024;
const MAX_TEXT = 40;

/** The controls that Wiren Board's own programs publish: wb-mqtt-metrics, and the rules hwmon and system. */
const topics = {
  load15: 'metrics/load_average_15min',
  memAvailable: 'metrics/ram_available',
  rootTotal: 'metrics/dev_root_total_space',
  rootUsed: 'metrics/dev_root_used_space',
  dataTotal: 'metrics/data_total_space',
  dataUsed: 'metrics/data_used_space',
  cpuTemperature: 'hwmon/CPU Temperature',
  boardTemperature: 'hwmon/Board Temperature',
  uptime: 'system/Current uptime',
} as const;
type Figure = keyof typeof topics;
const figures = new Map<string, Figure>(
  Object.entries(topics).map(([figure, topic]) => [topic, figure as Figure]),
);

export interface SystemFigures {
  take(topic: string, payload: Buffer): void;
  /** What is known now; what no topic tells is left out, as the use of the processor always is. */
  read(): Partial<Record<MetricName, number>>;
}

/** The figures of a controller's system, by the topics of its own programs. */
export function createSystemFigures(): SystemFigures {
  const texts = new Map<Figure, string>();
  const read = (figure: Figure): number => readNumber(texts.get(figure));
  const readFree = (total: number, used: number) => (used <= total ? (total - used) * MEBIBYTE : Number.NaN);

  return {
    take(topic, payload) {
      const [, devices, device, controls, control, ...more] = topic.split('/');
      if (devices !== 'devices' || controls !== 'controls' || more.length > 0) return;
      const figure = figures.get(`${device}/${control}`);
      if (!figure) return;
      if (payload.length === 0 || payload.length > MAX_TEXT) texts.delete(figure);
      else texts.set(figure, payload.toString('utf8'));
    },
    read() {
      const cpu = read('cpuTemperature');
      const all: Partial<Record<MetricName, number>> = {
        load15: read('load15'),
        mem_available: read('memAvailable') * MEBIBYTE,
        disk_free_root: readFree(read('rootTotal'), read('rootUsed')),
        disk_free_data: readFree(read('dataTotal'), read('dataUsed')),
        temperature: Number.isNaN(cpu) ? read('boardTemperature') : cpu,
        uptime: readUptime(texts.get('uptime')),
      };
      return Object.fromEntries(Object.entries(all).filter(([, value]) => isFigure(value)));
    },
  };
}

/** Broken programs and sensors report absurd values. */
const isFigure = (value: number) => Number.isFinite(value) && value >= -60 && value < 2 ** 50;

function readNumber(text: string | undefined): number {
  return text && /^-?[0-9]{1,15}(\.[0-9]{1,9})?$/.test(text) ? Number(text) : Number.NaN;
}

/** `3d18h3m`, in seconds; its minutes are whole ones. */
function readUptime(text = ''): number {
  const [, days, hours, minutes] = /^([0-9]{1,6})d ?([0-9]{1,2})h ?([0-9]{1,2})m$/.exec(text) ?? [];
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60;
}
