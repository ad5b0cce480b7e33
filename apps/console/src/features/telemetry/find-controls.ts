import { type LastMqttData, locales, type MqttControl } from '@pult/contract';
import { writeUnits } from './control-units.ts';

export type MqttDevice = LastMqttData['devices'][number];

/** The topic of a control by the convention its ids come from. */
export function topicOf(deviceId: string, controlId: string): string {
  return `/devices/${deviceId}/controls/${controlId}`;
}

/**
 * Devices with those of their controls in which every word of the text is found, in the control's title, topic, value or
 * units or in the device's title. Capitals do not matter. Devices with none are left out.
 */
export function findControls(devices: readonly MqttDevice[], text: string): readonly MqttDevice[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return devices;
  const matches = (device: MqttDevice, control: MqttControl) => {
    const { title, value, units } = control;
    const written = locales.map((locale) => writeUnits(control, locale) ?? '');
    const all = [device.title, title, topicOf(device.id, control.id), value ?? '', units ?? '', ...written]
      .join('\n')
      .toLowerCase();
    return words.every((word) => all.includes(word));
  };
  return devices
    .map((device) => ({ ...device, controls: device.controls.filter((control) => matches(device, control)) }))
    .filter(({ controls }) => controls.length > 0);
}
