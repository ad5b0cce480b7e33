import type { Decimal } from './decimal.ts';
import { TelemetryFormatError } from './format-error.ts';

/** What both ends remember of one subscription at most; beyond it the sender has all of it forgotten and begins anew. */
export const nameLimits = {
  controls: 10_000,
  devices: 2_000,
  /** Of all names together, in UTF-16 code units. */
  length: 512 * 1024,
} as const;

/** With the last number that was told of it. */
export interface NumberedControl extends Decimal {
  readonly number: number;
  readonly device: string;
  readonly control: string;
}

/** Names that were told once and stand for their numbers since. */
export class NumberedNames {
  readonly devices: string[] = [];
  readonly controls: NumberedControl[] = [];
  #length = 0;

  /** For a device and a control that are to be added, or one of the two. */
  hasRoomFor(device: string | undefined, control: string | undefined): boolean {
    const length = (device?.length ?? 0) + (control?.length ?? 0);
    return (
      (device === undefined || this.devices.length < nameLimits.devices) &&
      (control === undefined || this.controls.length < nameLimits.controls) &&
      this.#length + length <= nameLimits.length
    );
  }

  addDevice(device: string): void {
    this.#add(device);
    this.devices.push(device);
    if (this.devices.length > nameLimits.devices) throw new TelemetryFormatError('too many devices');
  }

  addControl(device: string, control: string): NumberedControl {
    this.#add(control);
    const added = { digits: 0, decimals: 0, number: this.controls.length, device, control };
    this.controls.push(added);
    if (this.controls.length > nameLimits.controls) throw new TelemetryFormatError('too many controls');
    return added;
  }

  clear(): void {
    this.devices.length = 0;
    this.controls.length = 0;
    this.#length = 0;
  }

  #add(name: string): void {
    this.#length += name.length;
    if (this.#length > nameLimits.length) throw new TelemetryFormatError('names are too long together');
  }
}
