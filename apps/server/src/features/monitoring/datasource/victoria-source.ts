import { DomainError } from '../../../platform/errors.ts';
import type { Logger } from '../../../platform/log.ts';
import type { MetricsSource } from './metrics-source.ts';

/** Calls that only read, and by name: everything else of VictoriaMetrics could export or delete. */
const open = /^(query|query_range|series|labels|label\/\w+\/values|metadata|status\/buildinfo)$/;
/** What may be asked: another filter beside ours would be a way around it. */
const allowed = ['query', 'time', 'start', 'end', 'step', 'timeout', 'match[]', 'limit', 'metric'];
const timeoutMs = 60_000;
const maxAnswerBytes = 64 << 20;

/**
 * Prometheus' calls handed on to VictoriaMetrics, with its whole language: it adds the organization's label to every
 * selector of a query by `extra_label`, and no such parameter of the caller's gets there.
 */
export function createVictoriaSource(address: string, log: Logger): MetricsSource {
  const base = new URL(address);
  const credentials = `${decodeURIComponent(base.username)}:${decodeURIComponent(base.password)}`;
  const authorization =
    base.username === '' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
  base.username = '';
  base.password = '';
  const root = base.href.replace(/(?<!\/)\/+$/, '');

  return {
    async answer({ organizationId, path, params }) {
      if (!open.test(path)) return undefined;
      const kept = [...params].filter(([name]) => allowed.includes(name));
      const form = new URLSearchParams([...kept, ['extra_label', `organization=${organizationId}`]]);
      try {
        const response = await fetch(`${root}/api/v1/${path}`, {
          method: 'POST',
          body: form,
          redirect: 'error',
          signal: AbortSignal.timeout(timeoutMs),
          ...(authorization ? { headers: { authorization } } : {}),
        });
        const parts: Uint8Array[] = [];
        let length = 0;
        for await (const part of response.body ?? []) {
          length += part.length;
          if (length > maxAnswerBytes) throw new Error('the answer is too large');
          parts.push(part);
        }
        return { status: response.status, body: Buffer.concat(parts).toString() };
      } catch (error) {
        log.warn({ err: error }, 'measurements not read for Grafana');
        throw new DomainError('metrics_unavailable');
      }
    },
  };
}
