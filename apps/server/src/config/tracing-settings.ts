import { resolve } from 'node:path';
import type { Environment } from './environment.ts';

export interface SamplerSettings {
  readonly name: Environment['OTEL_TRACES_SAMPLER'];
  /** Of the traces that begin, for those by ratio. */
  readonly ratio: number;
}

/** Where traces go, and which. */
export interface TracingSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A file in PEM form. */
  readonly caFile?: string;
  readonly serviceName: string;
  /** What is told of this server besides. */
  readonly resource: Readonly<Record<string, string>>;
  readonly sampler: SamplerSettings;
}

/** Undefined where traces go nowhere. */
export function readTracingSettings(env: Environment): TracingSettings | undefined {
  const url = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? addPath(env.OTEL_EXPORTER_OTLP_ENDPOINT);
  if (url === undefined) return undefined;
  return {
    url,
    headers: env.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    ...(env.OTEL_EXPORTER_OTLP_CERTIFICATE === undefined
      ? {}
      : { caFile: resolve(env.OTEL_EXPORTER_OTLP_CERTIFICATE) }),
    serviceName: env.OTEL_SERVICE_NAME,
    resource: env.OTEL_RESOURCE_ATTRIBUTES ?? {},
    sampler: { name: env.OTEL_TRACES_SAMPLER, ratio: env.OTEL_TRACES_SAMPLER_ARG },
  };
}

function addPath(endpoint: string | undefined): string | undefined {
  if (endpoint === undefined) return undefined;
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  return url.href;
}
