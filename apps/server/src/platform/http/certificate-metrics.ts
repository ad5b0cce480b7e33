import { X509Certificate } from 'node:crypto';
import type { Feature } from '../feature.ts';
import type { TlsPair } from './tls-files.ts';

/** Until when the certificates hold that are in use, of a chain the first. */
export function createCertificateMetrics(given: {
  tls: TlsPair | undefined;
  tunnelTls: TlsPair | undefined;
}): Feature {
  let { tls, tunnelTls } = given;
  return {
    name: 'certificates',
    metrics: [
      {
        name: 'pult_certificate_expiry_timestamp_seconds',
        help: 'When a certificate in use ends; there is no sample where there is none',
        type: 'gauge',
        labels: ['certificate'],
        read: () =>
          Object.entries({ server: tls, tunnels: tunnelTls }).flatMap(([certificate, pair]) =>
            pair
              ? [
                  {
                    labels: { certificate },
                    value: Date.parse(new X509Certificate(pair.cert).validTo) / 1000,
                  },
                ]
              : [],
          ),
      },
    ],
    renewTls(renewed) {
      tls = renewed.tls ?? tls;
      tunnelTls = renewed.tunnelTls ?? tunnelTls;
    },
  };
}
