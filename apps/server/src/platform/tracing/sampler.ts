import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import type { SamplerSettings } from '../../config/tracing-settings.ts';

/** By the names of OTEL_TRACES_SAMPLER. Every trace begins here, so that with or without `parentbased_` is the same at its first span. */
export function createSampler({ name, ratio }: SamplerSettings): Sampler {
  const root = createRoot(name.replace('parentbased_', ''), ratio);
  return new ParentBasedSampler({ root });
}

/** For spans of devices: told where that of the server is. */
export function followSampler(): Sampler {
  return new ParentBasedSampler({ root: new AlwaysOffSampler() });
}

function createRoot(name: string, ratio: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler();
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}
