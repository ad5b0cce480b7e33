import { createHash } from 'node:crypto';
import { serialNumber } from '@pult/contract';
import { encodeBase32 } from '../device-data.ts';

/** What a device says of itself by its user name. */
export interface DeviceUser {
  /** Undefined: to be made of its key. `invalid`: it names none that can be. */
  serialNumber: string | undefined | 'invalid';
  enrollmentKey: string | undefined;
}

/** A person's name is an address of mail, whose @ may be written as %40: no serial number has either. */
const pattern = /^device(?:\+([^@%:]*))?(?::(.+))?$/s;

/** `device`, `device+<serial>`, either with `:<ENROLLMENT_KEY>` behind it; undefined for any other name. */
export function parseDeviceUser(name: string): DeviceUser | undefined {
  const match = pattern.exec(name);
  if (!match) return undefined;
  const [, serial, enrollmentKey] = match;
  if (serial === undefined) return { serialNumber: undefined, enrollmentKey };
  const parsed = serialNumber.safeParse(serial);
  return { serialNumber: parsed.success ? parsed.data : 'invalid', enrollmentKey };
}

/** The serial number of a device that names none: always the same for its key. */
export function createKeySerial(blob: Buffer): string {
  return `SSH-${encodeBase32(createHash('sha256').update(blob).digest()).slice(0, 8)}`;
}
