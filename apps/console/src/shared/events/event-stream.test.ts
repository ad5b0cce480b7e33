import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openEventStream } from './event-stream.ts';

class FakeEventSource {
  static readonly CLOSED = 2;
  static made: FakeEventSource[] = [];
  readyState = 0;
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

function open(initialCursor?: string) {
  const handlers = { onChanges: vi.fn(), onGap: vi.fn(), onFailure: vi.fn(), onRefusal: vi.fn() };
  const close = openEventStream('org', handlers, initialCursor);
  const source = FakeEventSource.made.at(-1);
  if (!source) throw new Error('no stream was opened');
  return { ...handlers, close, source };
}

const change = { type: 'controller.updated', serialNumber: 'A1' };
const message = (after: string, cursor: string, changes: unknown[] | null) => ({
  data: JSON.stringify({ after, cursor, changes }),
});

test('changes of the organization arrive; what is no message is left alone', () => {
  const { source, onChanges, onGap, close } = open();
  expect(source.url).toBe('/api/v1/events/?organization_id=org');
  source.onmessage(message('1', '1', []));
  onGap.mockClear();
  source.onmessage(message('1', '2', [change]));
  source.onmessage({ data: 'not JSON' });
  source.onmessage({ data: '{"type":"something.newer"}' });
  expect(onChanges).toHaveBeenCalledExactlyOnceWith([change]);
  expect(onGap).not.toHaveBeenCalled();
  close();
  expect(source.readyState).toBe(FakeEventSource.CLOSED);
});

test('what happened before the stream was there is read anew', () => {
  const { source, onGap, close } = open();
  source.onmessage(message('1', '1', []));
  expect(onGap).toHaveBeenCalledOnce();
  close();
});

test('a stream that begins where the page was read has no gap; one that begins elsewhere has', () => {
  const same = open('run-7');
  same.source.onmessage(message('run-7', 'run-7', []));
  expect(same.onGap).not.toHaveBeenCalled();
  same.source.onmessage(message('run-7', 'run-8', [change]));
  expect(same.onChanges).toHaveBeenCalledExactlyOnceWith([change]);
  expect(same.onGap).not.toHaveBeenCalled();
  same.close();
  const behind = open('run-7');
  behind.source.onmessage(message('run-8', 'run-8', []));
  expect(behind.onGap).toHaveBeenCalledOnce();
  behind.close();
});

test('a lost stream that missed nothing costs nothing; one that missed something, a restart too, is a gap', () => {
  const { source, onGap, onFailure, close } = open();
  source.onmessage(message('run-1', 'run-1', []));
  source.onmessage(message('run-1', 'run-2', [change]));
  onGap.mockClear();
  source.onerror();
  expect(onFailure).toHaveBeenCalledOnce();
  source.onmessage(message('run-2', 'run-2', []));
  expect(onGap).not.toHaveBeenCalled();
  source.onerror();
  source.onmessage(message('run-5', 'run-5', []));
  expect(onGap).toHaveBeenCalledOnce();
  source.onerror();
  source.onmessage(message('next-0', 'next-0', []));
  expect(onGap).toHaveBeenCalledTimes(2);
  source.onmessage(message('next-0', 'next-1', [change]));
  expect(onGap).toHaveBeenCalledTimes(2);
  close();
});

test('a message that was left out is noticed, and so is too much to tell', () => {
  const { source, onGap, onChanges, close } = open();
  source.onmessage(message('1', '1', []));
  onGap.mockClear();
  source.onmessage(message('4', '5', [change]));
  expect([onGap.mock.calls.length, onChanges.mock.calls.length]).toEqual([1, 1]);
  source.onmessage(message('5', '900', null));
  expect([onGap.mock.calls.length, onChanges.mock.calls.length]).toEqual([2, 1]);
  source.onmessage(message('900', '901', [change]));
  expect([onGap.mock.calls.length, onChanges.mock.calls.length]).toEqual([2, 2]);
  close();
});

test('one of two tabs holds the stream; both learn of each change once, and of the gap when the other takes over', async () => {
  // Channels deliver in their own time.
  vi.useRealTimers();
  const first = open();
  first.source.onmessage(message('1', '1', []));
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  const handlers = { onChanges: vi.fn(), onGap: vi.fn(), onFailure: vi.fn(), onRefusal: vi.fn() };
  const closeSecond = openEventStream('org', handlers);
  expect(FakeEventSource.made).toHaveLength(1);
  first.source.onmessage(message('1', '2', [change]));
  await vi.waitFor(() => expect(handlers.onChanges).toHaveBeenCalledExactlyOnceWith([change]));
  expect(first.onChanges).toHaveBeenCalledOnce();
  // It had been told nothing before.
  expect(handlers.onGap).toHaveBeenCalledOnce();
  // A server that is lost is told to both as well.
  first.source.onerror();
  await vi.waitFor(() => expect(handlers.onFailure).toHaveBeenCalledOnce());

  vi.restoreAllMocks();
  document.dispatchEvent(new Event('visibilitychange')); // both are looked at: the last one leads
  const [, ...taken] = FakeEventSource.made;
  const source = taken.at(-1);
  source?.onmessage(message('2', '2', []));
  source?.onmessage(message('2', '3', [change]));
  // The one that led before may still tell the same.
  first.source.onmessage(message('2', '3', [change]));
  await vi.waitFor(() => expect(handlers.onChanges).toHaveBeenCalledTimes(2));
  await vi.waitFor(() => expect(first.onChanges).toHaveBeenCalledTimes(2));
  expect([first.onGap.mock.calls.length, handlers.onGap.mock.calls.length]).toEqual([1, 1]);
  closeSecond();
  first.close();
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

test('a stream that is refused again and again is asked for ever more rarely, until it is there', () => {
  const { close } = open();
  const refuseAfter = (milliseconds: number) => {
    const count = FakeEventSource.made.length;
    const source = FakeEventSource.made.at(-1);
    if (source) source.readyState = FakeEventSource.CLOSED;
    source?.onerror();
    vi.advanceTimersByTime(milliseconds - 1);
    expect(FakeEventSource.made).toHaveLength(count);
    vi.advanceTimersByTime(1);
    expect(FakeEventSource.made).toHaveLength(count + 1);
  };
  for (const delay of [3000, 6000, 12_000, 24_000, 48_000, 60_000, 60_000]) refuseAfter(delay);
  FakeEventSource.made.at(-1)?.onmessage(message('1', '1', []));
  refuseAfter(3000);
  close();
});
