import { createHash, createPrivateKey, type KeyObject } from 'node:crypto';
import { type DeviceInfo, getPublicKey } from '@pult/link';

/** The DER of an Ed25519 private key but for its last 32 bytes. */
const keyHead = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Who device `number` is: the same in every process, so that no keys have to be handed around. */
export function createBenchIdentity(number: number): { serialNumber: string; key: KeyObject } {
  const seed = createHash('sha256').update(`device ${number} of the bench`).digest();
  const key = createPrivateKey({ key: Buffer.concat([keyHead, seed]), format: 'der', type: 'pkcs8' });
  return { serialNumber: `LINK${String(number).padStart(6, '0')}`, key };
}

/** The raw public key of device `number`. */
export const getBenchPublicKey = (number: number): Buffer => getPublicKey(createBenchIdentity(number).key);

/** The public key of device `number` as SSH writes it (RFC 8709, section 4). */
export function getBenchSshKey(number: number): Buffer {
  const withLength = (bytes: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  return Buffer.concat([withLength(Buffer.from('ssh-ed25519')), withLength(getBenchPublicKey(number))]);
}

/** What such a device says of itself. */
export function describeBenchDevice(serialNumber: string): DeviceInfo {
  return {
    serialNumber,
    model: 'Bench board',
    firmwareVersion: '1',
    agentVersion: '1.0.0',
    kernelVersion: '6.1',
    addresses: ['192.0.2.7'],
    uptimeSeconds: 1,
  };
}
