import { expect, it, vi } from 'vitest';
import { createLog } from '../log.ts';
import { Events } from './events.ts';

it('tells the listeners of a topic, until they leave', () => {
  const events = new Events(createLog('silent'));
  const [first, second] = [vi.fn(), vi.fn()];
  const leave = events.subscribe('accessEnded', first);
  events.subscribe('enrolmentChanged', second);
  events.publish('accessEnded', { userId: 'a' });
  leave();
  events.publish('accessEnded', { userId: 'b' });
  expect(first.mock.calls).toEqual([[{ userId: 'a' }]]);
  expect(second).not.toHaveBeenCalled();
});

it('keeps a listener that throws from the others and from the publisher, and reports the error', () => {
  const log = createLog('silent');
  const report = vi.spyOn(log, 'error');
  const events = new Events(log);
  const failure = new Error('broken');
  const listener = vi.fn();
  events.subscribe('serverStopping', () => {
    throw failure;
  });
  events.subscribe('serverStopping', listener);
  events.publish('serverStopping', {});
  expect(listener).toHaveBeenCalledOnce();
  // As `err`: under any other name an error is logged without its message.
  expect(report).toHaveBeenCalledWith({ err: failure, topic: 'serverStopping' }, expect.any(String));
});

it('lets a listener leave while it is told', () => {
  const events = new Events(createLog('silent'));
  const listener = vi.fn(() => leave());
  const leave = events.subscribe('serverStopping', listener);
  const last = vi.fn();
  events.subscribe('serverStopping', last);
  events.publish('serverStopping', {});
  events.publish('serverStopping', {});
  expect(listener).toHaveBeenCalledOnce();
  expect(last).toHaveBeenCalledTimes(2);
});
