import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { useToastRoom } from './use-toast-room.ts';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function Page({ hasToast }: { hasToast: boolean }) {
  const area = useRef<HTMLDivElement>(null);
  useToastRoom(area);
  return (
    <>
      <div ref={area}>{hasToast && <div className="Toastify__toast-container" />}</div>
      <button type="button">Save</button>
    </>
  );
}

const readRoom = () => document.documentElement.style.getPropertyValue('--pult-toast-room');

test('the page gives toasts room, and does not move while something is dragged', async () => {
  // The toast lies over the button.
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 200, 96));
  const { rerender } = render(<Page hasToast={false} />);
  rerender(<Page hasToast />);
  await waitFor(() => expect(readRoom()).toBe('100px'));

  fireEvent.dragStart(screen.getByRole('button'));
  const changed = new Promise((resolve) =>
    new MutationObserver(resolve).observe(document.body, { childList: true, subtree: true }),
  );
  rerender(<Page hasToast={false} />);
  await changed;
  expect(readRoom()).toBe('100px');

  fireEvent.dragEnd(screen.getByRole('button'));
  expect(readRoom()).toBe('');
});

test('a drag whose source has gone is over when the pointer moves', async () => {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 200, 96));
  const { rerender } = render(<Page hasToast={false} />);
  fireEvent.dragStart(screen.getByRole('button'));
  rerender(<Page hasToast />);
  fireEvent.pointerMove(document.body);
  expect(readRoom()).toBe('100px');
});
