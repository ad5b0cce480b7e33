import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderPart } from '../testing/render-part.tsx';
import { SearchField } from './SearchField.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function show(value: string) {
  const onChange = vi.fn();
  const field = (now: string) => <SearchField label="Search the fleet" value={now} onChange={onChange} />;
  const view = renderPart(field(value));
  const input = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search the fleet' });
  const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms));
  return {
    onChange,
    input,
    wait,
    type: (text: string) => fireEvent.change(input, { target: { value: text } }),
    setAddress: (now: string) => view.rerender(field(now)),
  };
}

test('a search begins a moment after the last letter, once', () => {
  const { type, wait, onChange } = show('');
  type('b');
  wait(200);
  type('bo');
  wait(200);
  expect(onChange).not.toHaveBeenCalled();
  wait(50);
  expect(onChange).toHaveBeenCalledExactlyOnceWith('bo');
});

test('an address that only follows what was typed leaves the letters typed since', () => {
  const { type, wait, setAddress, input } = show('');
  type('bo');
  wait(250);
  type('boiler');
  setAddress('bo');
  expect(input.value).toBe('boiler');
});

test('an address that changes by itself, as by the way back, changes the field', () => {
  const { setAddress, input } = show('boiler');
  setAddress('');
  expect(input.value).toBe('');
});

test.each([
  ['Escape', (input: HTMLElement) => fireEvent.keyDown(input, { key: 'Escape' })],
  ['its button', () => fireEvent.click(screen.getByRole('button', { name: 'Clear search' }))],
])('a search is cleared by %s', (_, clear) => {
  const { wait, onChange, input } = show('boiler');
  fireEvent.keyDown(input, { key: 'a' });
  clear(input);
  expect(input.value).toBe('');
  wait(250);
  expect(onChange).toHaveBeenCalledExactlyOnceWith('');
  expect(screen.queryByRole('button', { name: 'Clear search' })).toBeNull();
});
