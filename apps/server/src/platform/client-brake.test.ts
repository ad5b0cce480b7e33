import { once } from 'node:events';
import { expect, it, vi } from 'vitest';
import { ClientBrake } from './client-brake.ts';

it('short pieces of one turn go on as one, the first at once', async () => {
  const charge = vi.fn(() => 0);
  const brake = new ClientBrake(charge);
  const read: string[] = [];
  brake.on('data', (chunk: Buffer) => read.push(String(chunk)));
  for (const letter of 'abcdefgh') brake.write(letter);
  brake.end();
  await once(brake, 'end');
  expect(read).toEqual(['a', 'bcdefgh']);
  expect(charge.mock.calls).toEqual([[1], [7]]);
});

it('large pieces are passed on as they are, and cost nothing', async () => {
  const charge = vi.fn(() => 0);
  const brake = new ClientBrake(charge);
  const large = Buffer.alloc(64 * 1024, 'x');
  let bytes = 0;
  brake.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  for (let index = 0; index < 20; index += 1) brake.write(large);
  brake.end();
  await once(brake, 'end');
  expect(bytes).toBe(20 * large.length);
  expect(charge).not.toHaveBeenCalled();
});

it('a client that sends too many short pieces is not read until they have been waited for', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const brake = new ClientBrake(() => 1_000);
    brake.resume();
    const written = vi.fn();
    brake.write('a', written);
    vi.advanceTimersByTime(999);
    expect(written).not.toHaveBeenCalled();
    expect(brake.write('b'.repeat(4 * 1024))).toBe(false);
    brake.destroy();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

it('a client whose bytes nobody takes is read no further', () => {
  const brake = new ClientBrake(() => 0);
  const large = Buffer.alloc(64 * 1024);
  brake.write(large);
  brake.write(large);
  expect(brake.readableLength).toBe(large.length);
  expect(brake.writableLength).toBeGreaterThan(0);
});
