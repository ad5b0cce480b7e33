import { readFile, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { makeCertificate } from './openssl.ts';

/** Files of a certificate by an authority that nobody knows, as a site has that makes its own. */
export interface TestCertificate {
  caPath: string;
  /** PEM */
  ca: string;
  certPath: string;
  keyPath: string;
  /** Certificate and key in one file, as HAProxy takes them. */
  bundlePath: string;
}

/** Makes them in that folder with OpenSSL, for names such as `*.http.localhost`, and addresses. */
export async function makeTestCertificate(
  folder: string,
  names: readonly string[],
): Promise<TestCertificate> {
  const path = (name: string) => join(folder, name);
  const [caPath, certPath, keyPath, bundlePath] = ['ca.pem', 'cert.pem', 'key.pem', 'bundle.pem'].map(
    path,
  ) as [string, string, string, string]; // four names, four paths
  const caKeyPath = path('ca-key.pem');
  await makeCertificate({ subject: '/CN=Pult test authority', keyPath: caKeyPath, certPath: caPath });
  await makeCertificate({ subject: '/CN=Pult test', keyPath, certPath }, [
    ...['-CA', caPath, '-CAkey', caKeyPath],
    ...['-addext', `subjectAltName=${names.map((name) => `${isIP(name) ? 'IP' : 'DNS'}:${name}`).join(',')}`],
    ...['-addext', 'basicConstraints=critical,CA:FALSE'],
  ]);
  await writeFile(bundlePath, (await readFile(certPath, 'utf8')) + (await readFile(keyPath, 'utf8')), {
    mode: 0o600,
  });
  return { caPath, ca: await readFile(caPath, 'utf8'), certPath, keyPath, bundlePath };
}
