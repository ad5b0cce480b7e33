import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openEventStream } from './event-stream.ts';

class FakeEventSource {
  static readonly CLOSED = 2;
  static made: FakeEventSource[] = [];
  readyState = 0;
  onopen: () => void = () => undefined;
  onmessage: (message: { data: string }) => void = () => undefined;
  onerror: () => void = () => undefined;
  readonly url: string;
  constructor(url: string) {
    this.url = url;
    FakeEventSource.made.push(this);
  }
  close() {
    this.readyState = FakeEventSource.CLOSED;
  }
}

beforeEach(() => {
  FakeEventSource.made = [];
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', FakeEventSource);
});
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
});

function open() {
  const handlers = { onEvent: vi.fn(), onResume: vi.fn(), onFailure: vi.fn(), onRefusal: vi.fn() };
  const close = openEventStream('org', handlers);
  const [source] = FakeEventSource.made;
  if (!source) throw new Error('no stream was opened');
  return { ...handlers, close, source };
}

test('events of the organization arrive; what is none is left alone', () => {
  const { source, onEvent, close } = open();
  expect(source.url).toBe('/api/v1/events/?organization_id=org');
  source.onmessage({ data: '{"type":"controller.updated","serialNumber":"A1"}' });
  source.onmessage({ data: 'not JSON' });
  source.onmessage({ data: '{"type":"something.newer"}' });
  expect(onEvent).toHaveBeenCalledExactlyOnceWith({ type: 'controller.updated', serialNumber: 'A1' });
  close();
  expect(source.readyState).toBe(FakeEventSource.CLOSED);
});

test('after a gap the lists are read anew, as events may have been missed', () => {
  const { source, onResume, onFailure, close } = open();
  source.onopen();
  onResume.mockClear();
  source.onopen();
  expect(onResume).not.toHaveBeenCalled();
  source.onerror();
  expect(onFailure).toHaveBeenCalledOnce();
  source.onopen();
  expect(onResume).toHaveBeenCalledOnce();
  close();
});

test('a stream that the browser gave up is told, and opened again', () => {
  const { source, onRefusal, close } = open();
  source.onerror();
  expect(onRefusal).not.toHaveBeenCalled();
  source.readyState = FakeEventSource.CLOSED;
  source.onerror();
  expect(onRefusal).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(3000);
  expect(FakeEventSource.made).toHaveLength(2);
  close();
});
