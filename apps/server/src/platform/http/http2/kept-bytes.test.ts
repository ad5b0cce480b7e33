import { describe, expect, it } from 'vitest';
import { createKeptBytes } from './kept-bytes.ts';

class Connection {
  uploads = 0;
  answers = 0;
  isHeld = false;
  isCut = false;

  countUploads = () => this.uploads;
  countAnswers = () => this.answers;

  hold(isHeld: boolean): void {
    this.isHeld = isHeld;
  }

  cut(): void {
    this.isCut = true;
  }
}

function create() {
  const clock = { ms: 0 };
  const kept = createKeptBytes({ uploadsOfOne: 100, inAll: 1_000 }, () => clock.ms);
  const connections = Array.from({ length: 3 }, () => new Connection()) as [
    Connection,
    Connection,
    Connection,
  ];
  for (const connection of connections) kept.add(connection);
  return { kept, clock, connections };
}

describe('bytes that are kept of HTTP/2', () => {
  it('holds back who sends more than is read, until it is read', () => {
    const { kept, connections } = create();
    const [sender, other] = connections;
    sender.uploads = 101;
    other.answers = 500;
    kept.look();
    expect(connections.map(({ isHeld }) => isHeld)).toEqual([true, false, false]);
    sender.uploads = 100;
    kept.look();
    expect(sender.isHeld).toBe(false);
  });

  it('cuts who was held back for 30 seconds without a pause', () => {
    const { kept, clock, connections } = create();
    const [sender, paused] = connections;
    for (let second = 0; second <= 31; second += 1) {
      sender.uploads = 101;
      paused.uploads = second === 15 ? 0 : 101;
      clock.ms = second * 1_000;
      kept.look();
    }
    expect(connections.map(({ isCut }) => isCut)).toEqual([true, false, false]);
  });

  it('cuts those that keep most where it is too much in all, and no more than needed', () => {
    const { kept, connections } = create();
    for (const [index, connection] of connections.entries()) connection.answers = 400 + index;
    kept.look();
    expect(connections.map(({ isCut }) => isCut)).toEqual([false, false, true]);
  });

  it('forgets who has left', () => {
    const { kept, connections } = create();
    for (const connection of connections) {
      connection.answers = 900;
      kept.remove(connection);
    }
    kept.look();
    expect(connections.map(({ isCut }) => isCut)).toEqual([false, false, false]);
  });
});
