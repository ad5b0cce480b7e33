import type { ServedCertificateName } from '@pult/contract/values';
import type { AcmeChallenge, AcmeSettings } from '../../config/acme-settings.ts';
import type { Config } from '../../config/config.ts';
import { listVerifiedNames } from '../../config/wiren-board-settings.ts';
import { canHaveSubdomains } from '../../platform/network.ts';

/** Under which a certificate is shown in metrics. */
export type CertificateName = ServedCertificateName;

export interface DesiredCertificate {
  readonly name: CertificateName;
  readonly hosts: readonly string[];
  readonly challenge: AcmeChallenge;
  /** Other than that of the one in use: a new one is due. */
  readonly identity: string;
}

/** What the server gets for itself; nothing without ACME. */
export function listDesiredCertificates({
  acme,
  agents,
  tunnels,
  grafana,
  http,
}: Config): DesiredCertificate[] {
  if (!acme) return [];
  const { wirenBoard } = agents;
  const tunnelHost = new URL(`https://${tunnels.domain}`).hostname;
  const own = [
    ...[http.publicUrl, ...agents.urls]
      .filter((url) => url.startsWith('https:'))
      .map((url) => new URL(url).hostname),
    ...(grafana ? [`grafana.${tunnelHost}`] : []),
  ];
  const hosts = [...new Set(own.map((host) => host.toLowerCase()))].filter(canHaveSubdomains);
  const wanted = [want('server', hosts, acme.challenge, acme)];
  if (tunnels.mode === 'subdomain' && !tunnels.tls && acme.dns) {
    wanted.push(want('tunnels', [`*.http.${tunnelHost}`], 'dns-01', acme));
  }
  // Apart from the server's own: an order fails as a whole, and these names are often not there.
  const further = wirenBoard ? listVerifiedNames(wirenBoard) : [];
  const names = further.filter((host) => canHaveSubdomains(host) && !hosts.includes(host));
  if (names.length > 0) wanted.push(want('wiren-board', names, acme.challenge, acme));
  return wanted;
}

function want(
  name: CertificateName,
  hosts: readonly string[],
  challenge: AcmeChallenge,
  { directory }: AcmeSettings,
): DesiredCertificate {
  return { name, hosts, challenge, identity: JSON.stringify({ hosts: hosts.toSorted(), directory }) };
}
