import { describe, expect, it, vi } from 'vitest';
import { createPendingOutput } from './pending-output.ts';

const nobody = () => {};

describe('pending output', () => {
  it('gives what follows any position that is not drawn yet', () => {
    const output = createPendingOutput(100);
    for (const text of ['abc', 'def', 'ghi']) output.add(Buffer.from(text), nobody);
    output.ack(4);
    for (let position = 4; position <= 9; position += 1) {
      expect(Buffer.concat(output.from(position) ?? []).toString()).toBe('abcdefghi'.slice(position));
    }
    expect(output.from(3)).toBeUndefined();
    expect(output.from(10)).toBeUndefined();
  });

  it('holds back at its window, and lets go once half of it is drawn', () => {
    const output = createPendingOutput(10);
    const [first, second] = [vi.fn(), vi.fn()];
    expect(output.add(Buffer.alloc(9), first)).toBe(true);
    expect(output.add(Buffer.alloc(3), second)).toBe(false);
    output.ack(6);
    expect(second).not.toHaveBeenCalled();
    output.ack(7);
    expect(second).toHaveBeenCalledTimes(1);
    output.ack(12);
    expect(second).toHaveBeenCalledTimes(1);
    expect(first).not.toHaveBeenCalled();
  });

  it('holds back many small pieces, too', () => {
    const output = createPendingOutput(1024 * 1024);
    let pieces = 0;
    while (output.add(Buffer.from('x'), nobody)) pieces += 1;
    expect(pieces).toBeLessThan(5_000);
  });

  it('refuses a position that was never reached, and ignores an older one', () => {
    const output = createPendingOutput(10);
    output.add(Buffer.alloc(5), nobody);
    expect(output.ack(6)).toBe(false);
    expect(output.ack(4)).toBe(true);
    expect(output.ack(2)).toBe(true);
    expect(output.acked).toBe(4);
  });
});
