import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderPart } from '../testing/render-part.tsx';
import { CopyText } from './CopyText.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function copy(writeText: () => Promise<void>) {
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  renderPart(<CopyText text="pult claim A1" form="block" />);
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Copy' })));
  return { tell: () => screen.getByRole('button').querySelector('[aria-live]')?.textContent };
}

test('a text that was copied is said to be, for two seconds', async () => {
  const writeText = vi.fn(async () => undefined);
  const { tell } = await copy(writeText);
  expect(writeText).toHaveBeenCalledExactlyOnceWith('pult claim A1');
  expect(tell()).toBe('Copied');
  act(() => void vi.advanceTimersByTime(1999));
  expect(tell()).toBe('Copied');
  act(() => void vi.advanceTimersByTime(1));
  expect(tell()).toBe('');
});

test('a text that the browser does not copy is selected, and its user told how to copy it', async () => {
  const { tell } = await copy(() => Promise.reject(new Error('not allowed')));
  expect(tell()).toBe('Selected, press Ctrl+C');
  expect(getSelection()?.toString()).toBe('pult claim A1');
});

test('a command breaks its lines behind an @, before it does so within a port', () => {
  const { container } = renderPart(<CopyText text="ssh -J a@b.example:2222 root@A1" form="block" />);
  const code = container.querySelector('code');
  expect(code?.textContent).toBe('ssh -J a@b.example:2222 root@A1');
  expect(code?.innerHTML).toBe('ssh -J a@<wbr>b.example:2222 root@<wbr>A1');
});
