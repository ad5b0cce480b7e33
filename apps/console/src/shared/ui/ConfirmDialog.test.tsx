import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { resources } from '../../app/messages.ts';
import { startI18n } from '../i18n/i18n.ts';
import { ConfirmDialog } from './ConfirmDialog.tsx';

afterEach(cleanup);

function show(typedName?: string) {
  localStorage.setItem('locale', 'en');
  startI18n(resources);
  const onConfirm = vi.fn();
  render(
    <MantineProvider env="test">
      <ConfirmDialog
        opened
        title="Delete"
        confirmLabel="Delete it"
        onConfirm={onConfirm}
        onClose={vi.fn()}
        {...(typedName === undefined ? {} : { typedName })}
      >
        Nothing brings it back.
      </ConfirmDialog>
    </MantineProvider>,
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
