import { address, namedValues, oneOf, secretNamedValues, share, text } from './value-types.ts';

const receiver = address(['http', 'https'], 'http://collector.example.com:4318');

/** See variables.ts; docs/tracing.md tells of them. Named by OpenTelemetry's own rules. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    type: receiver,
    unset: 'no traces',
    description:
      'Receiver of traces (OTLP over HTTP), to whose path /v1/traces is added; turns traces on, see docs/tracing.md',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    type: receiver,
    unset: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    description: 'The same as a whole address, to which nothing is added',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    type: secretNamedValues,
    unset: 'none',
    description: 'Headers for the receiver, such as authorization=Bearer%20…, with commas between them',
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    type: oneOf(['http/protobuf']),
    default: 'http/protobuf',
    description: 'Form in which traces are sent; there is one',
  },
  OTEL_EXPORTER_OTLP_CERTIFICATE: {
    type: text(4096),
    unset: 'those that Node.js trusts',
    description: 'Certificates (PEM) by which the receiver is trusted',
  },
  OTEL_TRACES_SAMPLER: {
    type: oneOf([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ]),
    default: 'parentbased_always_on',
    description: 'Which traces are sent; every trace begins in the server, so parentbased_ changes nothing',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    type: share,
    default: '1',
    description: 'Share of the traces that are sent, from 0 to 1, with the samplers by traceidratio',
  },
  OTEL_SERVICE_NAME: {
    type: text(100),
    default: 'pult',
    description: 'Name of the server in traces; that of the agents is this one with -agent behind it',
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    type: namedValues,
    unset: 'none',
    description:
      'What else is told of the server, such as deployment.environment.name=production, with commas between',
  },
} as const;
