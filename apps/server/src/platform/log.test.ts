import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { serializeError } from './log.ts';

/** The line that is logged of an error. */
function logError(error: unknown): string {
  const lines: string[] = [];
  const log = pino({ serializers: { err: serializeError } }, { write: (line) => void lines.push(line) });
  log.error({ err: error }, 'failed');
  return lines.join('');
}

describe('the log of an error', () => {
  it('the stacks of an error and of its causes are logged', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    const cause = new AggregateError([refused]);
    const { err } = JSON.parse(logError(new TypeError('fetch failed', { cause })));
    expect(err).toMatchObject({ type: 'TypeError', message: 'fetch failed' });
    expect(err.stack).toMatch(/TypeError: fetch failed\n +at [\s\S]+log\.test\.ts/);
    expect(err.stack).toMatch(/caused by: AggregateError[\s\S]+caused by: Error: connect ECONNREFUSED/);
  });

  it('the code of an error is logged', () => {
    expect(JSON.parse(logError(Object.assign(new Error('no'), { code: '23505' }))).err.code).toBe('23505');
  });

  it('requests and rows that a library keeps in an error stay out of the log', () => {
    const error = Object.assign(new Error('refused'), {
      detail: 'Key (email)=(someone@example.com) already exists.',
      $response: { headers: { authorization: 'Bearer secret-token' } },
    });
    expect(logError(error)).not.toMatch(/someone@example|secret-token/);
  });

  it('an error that is its own cause ends', () => {
    const error = new Error('round');
    error.cause = error;
    expect(logError(error)).toContain('caused by: Error: round');
  });

  it('anything else that was thrown is logged as it is', () => {
    expect(JSON.parse(logError('plain text')).err).toBe('plain text');
  });
});
