import type { Clock } from '@pult/server/testing';

/** A clock that stands still until it is told to go on. */
export class TestClock implements Clock {
  private time: number;

  constructor(start: Date = new Date()) {
    this.time = start.getTime();
  }

  now(): Date {
    return new Date(this.time);
  }

  advance(milliseconds: number): void {
    this.time += milliseconds;
  }
}
