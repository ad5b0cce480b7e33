import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderPart } from '../testing/render-part.tsx';
import { confirm } from './confirm.tsx';

function show(typedName?: string) {
  const onConfirm = vi.fn();
  renderPart(null);
  act(() =>
    confirm({
      title: 'Delete',
      text: 'Nothing brings it back.',
      action: 'Delete it',
      run: onConfirm,
      ...(typedName === undefined ? {} : { typedName }),
    }),
  );
  return { onConfirm, button: screen.getByRole<HTMLButtonElement>('button', { name: 'Delete it' }) };
}

test('what nothing brings back is confirmed by typing its name', () => {
  const { onConfirm, button } = show('A1-B2');
  expect(button.disabled).toBe(true);
  const field = screen.getByLabelText('To confirm, type “A1-B2”');
  fireEvent.change(field, { target: { value: 'A1' } });
  expect(button.disabled).toBe(true);
  fireEvent.change(field, { target: { value: 'A1-B2 ' } });
  fireEvent.click(button);
  expect(onConfirm).toHaveBeenCalledOnce();
});

test('other questions need no typing', () => {
  const { onConfirm, button } = show();
  fireEvent.click(button);
  expect(onConfirm).toHaveBeenCalledOnce();
});

test('a second click while the dialog goes does nothing twice', async () => {
  const { onConfirm, button } = show();
  fireEvent.click(button);
  // What was asked for is done, and the dialog is still seen.
  await act(async () => {});
  fireEvent.click(button);
  await act(async () => {});
  expect(onConfirm).toHaveBeenCalledOnce();
});
