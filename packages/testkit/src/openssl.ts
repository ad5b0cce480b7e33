import { runCommand } from './run-command.ts';

/** Makes a certificate that is good for two days, with an elliptic key of its own, by OpenSSL. Throws what that says. */
export async function makeCertificate(
  files: { subject: string; keyPath: string; certPath: string },
  extra: readonly string[] = [],
): Promise<void> {
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const { subject, keyPath, certPath } = files;
  const { code, stderr } = await runCommand('openssl', [
    ...['req', '-x509', ...kind, '-subj', subject, '-keyout', keyPath, '-out', certPath],
    ...extra,
  ]);
  if (code !== 0) throw new Error(`openssl ended with ${code}: ${stderr}`);
}
