import { runCommand } from './run-command.ts';

/** Makes a certificate that is good for so many days, with an elliptic key of its own, by OpenSSL. Throws what that says. */
export async function makeCertificate(
  files: { subject: string; keyPath: string; certPath: string; days?: number },
  extra: readonly string[] = [],
): Promise<void> {
  const { subject, keyPath, certPath, days = 2 } = files;
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', `${days}`];
  const { code, stderr } = await runCommand('openssl', [
    ...['req', '-x509', ...kind, '-subj', subject, '-keyout', keyPath, '-out', certPath],
    ...extra,
  ]);
  if (code !== 0) throw new Error(`openssl ended with ${code}: ${stderr}`);
}
