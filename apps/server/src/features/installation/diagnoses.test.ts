import { TestClock } from '@pult/testkit/in-process';
import { expect, it, vi } from 'vitest';
import { createDiagnoses } from './diagnoses.ts';

it('the doctor looks once a minute at most, once for all who ask meanwhile, and again after a failure', async () => {
  const clock = new TestClock();
  const examine = vi.fn(async () => ({
    status: 'ok' as const,
    findings: [{ check: 'disk' as const, status: 'ok' as const, text: { en: 'room', ru: 'место' } }],
  }));
  const diagnoses = createDiagnoses({ examine, clock });
  const [first, second] = await Promise.all([diagnoses.get('en'), diagnoses.get('ru')]);
  expect(second.findings[0]?.text).toBe('место');
  expect(first).toEqual({
    examinedAt: clock.now().toISOString(),
    status: 'ok',
    findings: [{ check: 'disk', status: 'ok', text: 'room', action: null }],
  });
  clock.advance(59_999);
  await diagnoses.get('en');
  expect(examine).toHaveBeenCalledOnce();
  clock.advance(1);
  examine.mockRejectedValueOnce(new Error('no'));
  await expect(diagnoses.get('en')).rejects.toThrow('no');
  await diagnoses.get('en');
  expect(examine).toHaveBeenCalledTimes(3);
});
