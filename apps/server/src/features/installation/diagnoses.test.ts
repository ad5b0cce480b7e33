import { TestClock } from '@pult/testkit/in-process';
import { expect, it, vi } from 'vitest';
import { createDiagnoses } from './diagnoses.ts';

it('the doctor looks once a minute at most, once for all who ask meanwhile, and again after a failure', async () => {
  const clock = new TestClock();
  const examine = vi.fn(async () => ({
    status: 'ok' as const,
    findings: [{ check: 'disk' as const, status: 'ok' as const, text: 'room' }],
  }));
  const diagnoses = createDiagnoses({ examine, clock });
  const [first, second] = await Promise.all([diagnoses.get(), diagnoses.get()]);
  expect(second).toBe(first);
  expect(first).toEqual({
    examinedAt: clock.now().toISOString(),
    status: 'ok',
    findings: [{ check: 'disk', status: 'ok', text: 'room', action: null }],
  });
  clock.advance(59_999);
  await diagnoses.get();
  expect(examine).toHaveBeenCalledOnce();
  clock.advance(1);
  examine.mockRejectedValueOnce(new Error('no'));
  await expect(diagnoses.get()).rejects.toThrow('no');
  await diagnoses.get();
  expect(examine).toHaveBeenCalledTimes(3);
});
