import { Button, Checkbox, MantineProvider, Modal, TextInput } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { followForms } from './follow-forms.ts';

beforeAll(followForms);
afterEach(cleanup);

let answer: (errors: Record<string, string>) => void = () => {};

function Form() {
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [isPending, setIsPending] = useState(false);
  const submit = () => {
    setErrors({});
    setIsPending(true);
    answer = (found) => {
      setErrors(found);
      setIsPending(false);
    };
  };
  return (
    <MantineProvider>
      <Modal opened onClose={() => {}} title="New" transitionProps={{ duration: 0 }}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <TextInput label="Name" />
          <TextInput label="Networks" error={errors.networks} />
          <Checkbox.Group label="Scopes" error={errors.scopes}>
            <Checkbox value="read" label="Read" />
          </Checkbox.Group>
          <Button type="submit" loading={isPending}>
            Create
          </Button>
        </form>
      </Modal>
    </MantineProvider>
  );
}

/** A browser takes the focus from a button that is disabled; here it is taken by way of another part. */
async function submitByButton() {
  render(<Form />);
  const button = await screen.findByRole('button', { name: 'Create' });
  act(() => button.focus());
  fireEvent.click(button);
  const other = screen.getByLabelText('Name');
  act(() => other.focus());
  act(() => other.blur());
  await expect.poll(() => document.activeElement).toBe(screen.getByRole('dialog'));
  return button;
}

test('a dialog has the focus while its button waits, and the button after a refusal', async () => {
  const button = await submitByButton();
  act(() => answer({}));
  await expect.poll(() => document.activeElement).toBe(button);
});

test('the first refused field has the focus after a refusal', async () => {
  await submitByButton();
  act(() => answer({ networks: 'Odd.', scopes: 'None.' }));
  await expect.poll(() => document.activeElement).toBe(screen.getByLabelText('Networks'));
});

test('a refused list of boxes has the focus in its first box', async () => {
  await submitByButton();
  act(() => answer({ scopes: 'None.' }));
  await expect.poll(() => document.activeElement).toBe(screen.getByLabelText('Read'));
});

test('a field that somebody has gone on to keeps the focus after a refusal', async () => {
  await submitByButton();
  const field = screen.getByLabelText('Name');
  act(() => field.focus());
  act(() => answer({ networks: 'Odd.' }));
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(document.activeElement).toBe(field);
});
