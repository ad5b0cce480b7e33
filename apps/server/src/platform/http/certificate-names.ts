import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { withoutBrackets } from '../network.ts';

/** Whether browsers take a certificate (PEM; of a chain the first) for that host name or IP address. */
export function coversHost(pem: string, host: string): boolean {
  const certificate = new X509Certificate(pem);
  const name = withoutBrackets(host);
  // Browsers no longer look at the subject.
  const answer =
    isIP(name) === 0 ? certificate.checkHost(name, { subject: 'never' }) : certificate.checkIP(name);
  return answer !== undefined;
}
