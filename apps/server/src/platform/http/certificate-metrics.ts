import { X509Certificate } from 'node:crypto';
import type { ServedCertificateName } from '@pult/contract/values';
import type { Feature } from '../feature.ts';
import type { TlsPair } from './tls-files.ts';

export interface ServedCertificate {
  name: ServedCertificateName;
  validFrom: Date;
  validUntil: Date;
}

export interface CertificateMetrics extends Feature {
  /** Those in use. */
  list(): ServedCertificate[];
}

/** Until when the certificates hold that are in use, of a chain the first. */
export function createCertificateMetrics(given: {
  tls: TlsPair | undefined;
  tunnelTls: TlsPair | undefined;
}): CertificateMetrics {
  let { tls, tunnelTls } = given;
  let wirenBoardTls: TlsPair | undefined;
  const list = () =>
    (
      [
        ['server', tls],
        ['tunnels', tunnelTls],
        ['wiren-board', wirenBoardTls],
      ] as const
    ).flatMap(([name, pair]) => {
      if (!pair) return [];
      const { validFrom, validTo } = new X509Certificate(pair.cert);
      return [{ name, validFrom: new Date(validFrom), validUntil: new Date(validTo) }];
    });
  return {
    name: 'certificates',
    list,
    metrics: [
      {
        name: 'pult_certificate_expiry_timestamp_seconds',
        help: 'When a certificate in use ends; there is no sample where there is none',
        type: 'gauge',
        labels: ['certificate'],
        read: () =>
          list().map(({ name, validUntil }) => ({
            labels: { certificate: name },
            value: validUntil.getTime() / 1000,
          })),
      },
    ],
    renewTls(renewed) {
      tls = renewed.tls ?? tls;
      tunnelTls = renewed.tunnelTls ?? tunnelTls;
      wirenBoardTls = renewed.wirenBoardTls ?? wirenBoardTls;
    },
  };
}
