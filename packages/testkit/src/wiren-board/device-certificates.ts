import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeCertificate } from '../openssl.ts';

/** What a controller presents: its own certificate and that of its issuer, in one PEM text, and its key. */
export interface DeviceCertificate {
  chain: string;
  /** The certificate alone, as a proxy hands it on. */
  leaf: string;
  key: string;
}

/** An authority as a factory has one: a root, and below it an issuer that signs the controllers' certificates. */
export interface DeviceCertificates {
  /** Of the root, as WB_DEVICE_CA takes it. */
  rootPath: string;
  /** Issues one for that serial number, or another whole subject such as `/CN=nobody`. */
  issue(serialNumber: string, subject?: string): Promise<DeviceCertificate>;
}

/** Makes them in that folder with OpenSSL. */
export async function makeDeviceCertificates(folder: string): Promise<DeviceCertificates> {
  const path = (name: string) => join(folder, name);
  const make = (name: string, subject: string, extra: readonly string[]) =>
    makeCertificate({ subject, keyPath: path(`${name}-key.pem`), certPath: path(`${name}.pem`) }, extra);
  const signedBy = (name: string) => ['-CA', path(`${name}.pem`), '-CAkey', path(`${name}-key.pem`)];
  await make('root', '/O=Test factory/CN=Test root', [
    '-addext',
    'basicConstraints=critical,CA:TRUE,pathlen:1',
  ]);
  await make('issuer', '/O=Test factory/CN=Test issuer', [
    ...signedBy('root'),
    ...['-addext', 'basicConstraints=critical,CA:TRUE,pathlen:0'],
  ]);
  return {
    rootPath: path('root.pem'),
    async issue(serialNumber, subject = `/O=Test factory/OU=Production/CN=wirenboard-${serialNumber}`) {
      const name = `device-${serialNumber}`;
      await make(name, subject, [...signedBy('issuer'), '-addext', 'basicConstraints=critical,CA:FALSE']);
      const read = (file: string) => readFile(path(file), 'utf8');
      const [leaf, issuer, key] = await Promise.all([
        read(`${name}.pem`),
        read('issuer.pem'),
        read(`${name}-key.pem`),
      ]);
      return { chain: leaf + issuer, leaf, key };
    },
  };
}
