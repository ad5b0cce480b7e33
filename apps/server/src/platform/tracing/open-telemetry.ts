import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { TracingSettings } from '../../config/tracing-settings.ts';
import type { Logger } from '../log.ts';
import { createExportLog } from './export-log.ts';
import { createSampler, followSampler } from './sampler.ts';
import type { Span, Statement, Tracing } from './tracing.ts';

/** The trace that work belongs to. Times are those of its begin and what has passed since: a clock that jumps breaks none. */
interface Going {
  context: Context;
  readonly wallMs: number;
  readonly begunMs: number;
  /** Of its first span. */
  readonly first: { endedMs?: number };
}

/** What was asked for sets things going that last: subscriptions, shells. After so many milliseconds they are not its own any more. */
const aftermathMs = 10_000;
/** Below what a stop may take. */
const exportTimeoutMs = 5_000;
const longestText = 2048;

/** What is kept, and in which pieces it is sent. By OpenTelemetry's own names, which its library does not read by itself. */
function readBatchSettings() {
  const read = (name: string) => {
    const value = Number(process.env[`OTEL_BSP_${name}`]);
    return Number.isSafeInteger(value) && value > 0 ? value : undefined;
  };
  const settings = {
    scheduledDelayMillis: read('SCHEDULE_DELAY'),
    maxQueueSize: read('MAX_QUEUE_SIZE'),
    maxExportBatchSize: read('MAX_EXPORT_BATCH_SIZE'),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

/** Loaded only where tracing is on. */
export function startTracing(
  settings: TracingSettings,
  { version, ca, log }: { version: string; ca: string | undefined; log: Logger },
): Tracing {
  diag.setLogger(createExportLog(log), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const exporter = new OTLPTraceExporter({
    url: settings.url,
    headers: { ...settings.headers },
    timeoutMillis: exportTimeoutMs,
    ...(ca === undefined ? {} : { httpAgentOptions: { ca, keepAlive: true } }),
  });
  // One for both.
  const spanProcessors = [
    new BatchSpanProcessor({ exporter, exportTimeoutMillis: exportTimeoutMs, ...readBatchSettings() }),
  ];
  const provide = (name: string, sampler: ReturnType<typeof createSampler>, own: Attributes) =>
    new TracerProvider({
      resource: resourceFromAttributes({ ...settings.resource, ...own, 'service.name': name }),
      sampler,
      spanProcessors,
      spanLimits: { attributeValueLengthLimit: longestText },
    });
  const server = provide(settings.serviceName, createSampler(settings.sampler), {
    'service.version': version,
  });
  const devices = provide(`${settings.serviceName}-agent`, followSampler(), {});
  const tracer = server.getTracer('pult', version);
  const deviceTracer = devices.getTracer('pult', version);
  const going = new AsyncLocalStorage<Going>();

  const timeOf = ({ wallMs, begunMs }: Going, at = performance.now()) => wallMs + (at - begunMs);

  function wrap(span: SdkSpan, own: Going): Span & { isOver: boolean } {
    return {
      isOver: false,
      set: (attributes) => span.setAttributes(attributes),
      fail(error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.setAttribute('error.type', kindOf(error));
      },
      end() {
        if (this.isOver) return;
        this.isOver = true;
        span.end(timeOf(own));
      },
    };
  }

  /** What goes on here and now, unless it has long outlived what it was asked by. */
  function findGoing(): Going | undefined {
    const current = going.getStore();
    const { endedMs } = current?.first ?? {};
    return endedMs === undefined || performance.now() - endedMs < aftermathMs ? current : undefined;
  }

  function startSpan(
    by: Tracer,
    current: Going,
    { name, kind, attributes, at }: { name: string; kind: SpanKind; attributes: Attributes; at?: number },
  ): SdkSpan {
    return by.startSpan(name, { kind, attributes, startTime: timeOf(current, at) }, current.context);
  }

  return {
    isOn: true,

    begin({ name, attributes }, work) {
      // A trace of its own: whoever asks is not to choose what is told, nor under which name.
      const current: Going = {
        context: ROOT_CONTEXT,
        wallMs: Date.now(),
        begunMs: performance.now(),
        first: {},
      };
      const span = startSpan(tracer, current, { name, kind: SpanKind.SERVER, attributes });
      current.context = trace.setSpan(ROOT_CONTEXT, span);
      const own = wrap(span, current);
      const end = () => {
        current.first.endedMs ??= performance.now();
        own.end();
      };
      return going.run(current, () => work({ set: own.set, fail: own.fail, end }));
    },

    noteStatement({ text, durationMs, error }: Statement) {
      const current = findGoing();
      if (!current) return;
      const [operation = ''] = /^\s*[a-z]+/i.exec(text) ?? [];
      const name = operation.trim().toUpperCase();
      const span = startSpan(tracer, current, {
        name,
        kind: SpanKind.CLIENT,
        attributes: {
          'db.system.name': 'postgresql',
          'db.operation.name': name,
          // With $1 for what people and devices have said.
          'db.query.text': text,
        },
        at: performance.now() - durationMs,
      });
      if (error !== undefined) wrap(span, current).fail(error);
      span.end(timeOf(current));
    },

    traceRequest(name) {
      const current = findGoing();
      if (!current) return undefined;
      const sentMs = performance.now();
      const span = startSpan(tracer, current, {
        name,
        kind: SpanKind.CLIENT,
        attributes: { 'pult.link.request': name },
      });
      const { traceId, spanId, traceFlags } = span.spanContext();
      if (!span.isRecording()) return undefined;
      const own = wrap(span, current);
      return {
        traceParent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
        end({ error, tookMicros }) {
          if (own.isOver) return;
          if (error !== undefined) own.fail(error);
          own.end();
          if (tookMicros === undefined) return;
          // The device tells a duration, not a time: its clock may be years off. It lies in the middle of what passed here.
          const passedMs = performance.now() - sentMs;
          const tookMs = Math.min(tookMicros / 1000, passedMs);
          const at = sentMs + (passedMs - tookMs) / 2;
          const attributes = { 'pult.link.request': name };
          const onLink = { ...current, context: trace.setSpan(ROOT_CONTEXT, span) };
          const told = startSpan(deviceTracer, onLink, { name, kind: SpanKind.SERVER, attributes, at });
          if (error !== undefined) wrap(told, current).fail(error);
          told.end(timeOf(current, at + tookMs));
        },
      };
    },

    async stop() {
      await Promise.all([server.shutdown(), devices.shutdown()]).catch((error: Error) => {
        log.warn({ err: error }, 'the last traces could not be sent');
      });
    },
  };
}

/** A code of ours, of PostgreSQL or of the system; its words may hold anything. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' && /^[A-Za-z0-9_]{1,64}$/.test(code) ? code : error.name;
}
