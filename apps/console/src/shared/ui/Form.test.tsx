import { Button, Checkbox, MantineProvider, Modal, TextInput } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { theme } from '../theme/theme.ts';
import { Form } from './Form.tsx';

afterEach(cleanup);

let answer: (errors: Record<string, string>) => void = () => {};

function Example() {
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
    <MantineProvider theme={theme}>
      <Modal opened onClose={() => {}} title="New" transitionProps={{ duration: 0 }}>
        <Form
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <TextInput label="Name" />
          <Button>Look up</Button>
          <TextInput label="Networks" error={errors.networks} />
          <Checkbox.Group label="Scopes" error={errors.scopes}>
            <Checkbox value="read" label="Read" />
          </Checkbox.Group>
          <Button type="submit" loading={isPending}>
            Create
          </Button>
        </Form>
      </Modal>
    </MantineProvider>
  );
}

async function submitByButton() {
  render(<Example />);
  const button = await screen.findByRole('button', { name: 'Create' });
  act(() => button.focus());
  fireEvent.click(button);
  expect(button.getAttribute('aria-disabled')).toBe('true');
  return button;
}

test('a button that waits keeps the focus, also after a refusal, and sends nothing twice', async () => {
  const button = await submitByButton();
  expect(button).toHaveProperty('disabled', false);
  expect(document.activeElement).toBe(button);
  const first = answer;
  fireEvent.click(button);
  expect(answer).toBe(first);
  act(() => answer({}));
  expect(document.activeElement).toBe(button);
  expect(button.hasAttribute('aria-disabled')).toBe(false);
});

test('a button sends no form by itself', async () => {
  render(<Example />);
  const before = answer;
  fireEvent.click(await screen.findByRole('button', { name: 'Look up' }));
  expect(answer).toBe(before);
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
  expect(document.activeElement).toBe(field);
});
