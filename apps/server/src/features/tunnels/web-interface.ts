import { createHash } from 'node:crypto';

/** A web server of a controller: its own web interface, or the named endpoint on a further port. */
export interface WebInterface {
  serialNumber: string;
  /** Null for the controller's own. */
  port: number | null;
}

/** One word for it, of letters, digits and hyphens: serial numbers hold no two hyphens in a row. */
export function nameOf({ serialNumber, port }: WebInterface): string {
  return port === null ? serialNumber : `${serialNumber}--${port}`;
}

/** The same as a short mark. */
export function markOf(web: WebInterface): string {
  return createHash('sha256').update(nameOf(web)).digest('hex').slice(0, 12);
}

export function isSameInterface(one: WebInterface, other: WebInterface): boolean {
  return one.serialNumber === other.serialNumber && one.port === other.port;
}
