import { readFile, writeFile } from 'node:fs/promises';
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
  /** Of root and issuer, as WB_DEVICE_CA takes it where a proxy hands on the controllers' own certificates alone. */
  bundlePath: string;
  /** Issues one for that serial number, or another whole subject such as `/CN=nobody`, with further options of `openssl req`. */
  issue(serialNumber: string, subject?: string, extra?: readonly string[]): Promise<DeviceCertificate>;
}

/** Makes them in that folder with OpenSSL. */
export async function makeDeviceCertificates(folder: string): Promise<DeviceCertificates> {
  const path = (name: string) => join(folder, name);
  const make = (name: string, subject: string, extra: readonly string[]) =>
    makeCertificate({ subject, keyPath: path(`${name}-key.pem`), certPath: path(`${name}.pem`) }, extra);
  const signedBy = (name: string) => ['-CA', path(`${name}.pem`), '-CAkey', path(`${name}-key.pem`)];
  const read = (file: string) => readFile(path(file), 'utf8');
  await make('root', '/O=Test factory/CN=Test root', [
    '-addext',
    'basicConstraints=critical,CA:TRUE,pathlen:1',
  ]);
  await make('issuer', '/O=Test factory/CN=Test issuer', [
    ...signedBy('root'),
    ...['-addext', 'basicConstraints=critical,CA:TRUE,pathlen:0'],
  ]);
  await writeFile(path('wiren-board.pem'), (await read('root.pem')) + (await read('issuer.pem')));
  return {
    rootPath: path('root.pem'),
    bundlePath: path('wiren-board.pem'),
    async issue(
      serialNumber,
      subject = `/O=Test factory/OU=Production/CN=wirenboard-${serialNumber}`,
      extra = [],
    ) {
      const name = `device-${serialNumber}`;
      const own = [...signedBy('issuer'), '-addext', 'basicConstraints=critical,CA:FALSE'];
      await make(name, subject, [...own, ...extra]);
      const [leaf, issuer, key] = await Promise.all([
        read(`${name}.pem`),
        read('issuer.pem'),
        read(`${name}-key.pem`),
      ]);
      return { chain: leaf + issuer, leaf, key };
    },
  };
}
