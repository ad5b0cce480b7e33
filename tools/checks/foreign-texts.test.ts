import { describe, expect, test } from 'vitest';
import { runTrials } from './run-trials.ts';
import { findSlowness } from './try-foreign-texts.ts';

function rereadBefore(text: string): void {
  for (let at = 0; at < text.length; at += 1) text.lastIndexOf('!', at);
}

describe('foreign texts', () => {
  test.each([
    ['its characters', (text: string) => void [...text], false],
    ['all before each of its characters', rereadBefore, true],
  ])('foreign texts show whether a reader that looks at %s takes long', async (_, read, isSlow) => {
    const ms = await findSlowness(read, (length) => ' '.repeat(length), 50_000);
    expect(ms !== undefined).toBe(isSlow);
  });

  test('foreign texts of 100 kB are read at once by every reader and every schema of the product', async () => {
    const script = 'tools/checks/try-foreign-texts.ts';
    const { tried, slow, exitCode } = await runTrials(script, { timeoutMs: 150_000 });
    expect({ slow, exitCode }).toEqual({ slow: [], exitCode: 0 });
    expect(tried).toEqual(
      expect.arrayContaining(['selector', 'login.body.username', 'telemetryEntrySchema.options.0.value']),
    );
  }, 180_000);
});
