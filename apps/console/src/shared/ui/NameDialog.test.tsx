import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderPart } from '../testing/render-part.tsx';
import { NameDialog } from './NameDialog.tsx';

function show(answer?: string, initialName?: string) {
  const onSubmit = vi.fn(async () => answer);
  const onClose = vi.fn();
  const named = initialName === undefined ? {} : { initialName };
  const dialog = (opened: boolean) => (
    <NameDialog
      opened={opened}
      title="New group"
      submitLabel="Create"
      isPending={false}
      onSubmit={onSubmit}
      onClose={onClose}
      {...named}
    />
  );
  const view = renderPart(dialog(true));
  const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' });
  return {
    onSubmit,
    onClose,
    field,
    setOpened: (opened: boolean) => view.rerender(dialog(opened)),
    submit: (name: string) => {
      fireEvent.change(field(), { target: { value: name } });
      fireEvent.click(screen.getByRole('button', { name: 'Create' }));
    },
  };
}

test('a name is sent without the spaces around it', async () => {
  const { submit, onSubmit, field } = show();
  expect(field().value).toBe('');
  submit('  North  ');
  await waitFor(() => expect(onSubmit).toHaveBeenCalledExactlyOnceWith('North'));
  expect(field().getAttribute('aria-invalid')).not.toBe('true');
});

test('a name of nothing but spaces is not sent, and the field says why', async () => {
  const { submit, onSubmit, field } = show();
  submit('   ');
  await waitFor(() => expect(field().getAttribute('aria-invalid')).toBe('true'));
  expect(onSubmit).not.toHaveBeenCalled();
});

test('a name that the server refuses stays in the field, with the reason below it', async () => {
  const { submit, field } = show('There is a group of this name');
  submit('North');
  await screen.findByText('There is a group of this name');
  expect(field().value).toBe('North');
});

test('a dialog that was left begins anew with the name as it is', async () => {
  const { field, setOpened, onClose } = show(undefined, 'South');
  expect(field().value).toBe('South');
  fireEvent.change(field(), { target: { value: 'Elsewhere' } });
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onClose).toHaveBeenCalledOnce();
  setOpened(false);
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull());
  setOpened(true);
  expect(field().value).toBe('South');
});
