import { type Metric, type Sample, shareReading } from '../../platform/prometheus/metric.ts';
import type { CertificateState, CertificatesRepository } from './certificates.repository.ts';
import type { DesiredCertificate } from './desired-certificates.ts';

const seconds = (date: Date | null) => (date === null ? undefined : date.getTime() / 1000);

export function createCertificateOrderMetrics({
  wanted,
  repository,
}: {
  wanted: readonly DesiredCertificate[];
  repository: CertificatesRepository;
}): Metric[] {
  const readStates = shareReading(() =>
    Promise.all(wanted.map(async ({ name }) => [name, await repository.get(name)] as const)),
  );
  const readEach = (read: (state: CertificateState) => number | undefined) => async () =>
    (await readStates()).flatMap(([certificate, state]): Sample[] => {
      const value = state && read(state);
      return value === undefined ? [] : [{ labels: { certificate }, value }];
    });
  const labels = ['certificate'];
  return [
    {
      name: 'pult_acme_last_success_timestamp_seconds',
      help: 'When the server last received a certificate from its authority; there is no sample before the first',
      type: 'gauge',
      labels,
      read: readEach(({ issuedAt }) => seconds(issuedAt)),
    },
    {
      name: 'pult_acme_last_failure_timestamp_seconds',
      help: 'When an order last failed; there is no sample before the first',
      type: 'gauge',
      labels,
      read: readEach(({ failedAt }) => seconds(failedAt)),
    },
    {
      name: 'pult_acme_failures',
      help: 'Orders that have failed one after the other since the last success',
      type: 'gauge',
      labels,
      read: readEach(({ failures }) => failures),
    },
  ];
}
