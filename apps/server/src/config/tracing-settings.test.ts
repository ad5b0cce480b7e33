import { describe, expect, it } from 'vitest';
import { loadConfig } from './config.ts';
import { ConfigError, readEnvironment } from './env.ts';

const parse = (env: Record<string, string>) => readEnvironment({ env, directory: null });
const tracingOf = (env: Record<string, string>) => loadConfig(parse(env), { version: '1.2.3' }).tracing;
const problemsOf = (env: Record<string, string>) => {
  try {
    return parse(env) && [];
  } catch (error) {
    return error instanceof ConfigError ? error.problems : [];
  }
};

const endpoint = 'http://collector.example.com:4318';

describe('settings of traces', () => {
  it('nothing is traced without a receiver, whatever else is set', () => {
    expect(tracingOf({ OTEL_TRACES_SAMPLER: 'always_on', OTEL_SERVICE_NAME: 'x' })).toBeUndefined();
  });

  it('the path of traces is added to the receiver, and a whole address is taken as it is', () => {
    expect(tracingOf({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })).toEqual({
      url: `${endpoint}/v1/traces`,
      headers: {},
      serviceName: 'pult',
      resource: {},
      sampler: { name: 'parentbased_always_on', ratio: 1 },
    });
    const below = tracingOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example.com/otlp/' });
    expect(below?.url).toBe('https://collector.example.com/otlp/v1/traces');
    const whole = {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${endpoint}/x`,
    };
    expect(tracingOf(whole)?.url).toBe(`${endpoint}/x`);
  });

  it('headers, attributes and the share of traces are read', () => {
    const tracing = tracingOf({
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%3Db, x-scope = 7',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,a=b=c',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '.25',
    });
    expect(tracing).toMatchObject({
      headers: { authorization: 'Bearer a=b', 'x-scope': '7' },
      resource: { 'deployment.environment.name': 'test', a: 'b=c' },
      sampler: { name: 'traceidratio', ratio: 0.25 },
    });
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=%zz'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a b=c'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_TRACES_SAMPLER_ARG', '-1'],
  ])('%s of %s is refused by name, without its value', (name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name} must be `));
    expect(problems[0]).not.toContain('%zz');
  });
});
