import { Button, MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { DisabledReason } from './DisabledReason.tsx';

afterEach(cleanup);

function show(reason: string | undefined) {
  const onClick = vi.fn();
  render(
    <MantineProvider env="test">
      <DisabledReason reason={reason}>
        <Button onClick={onClick}>Delete</Button>
      </DisabledReason>
    </MantineProvider>,
  );
  return { onClick, button: screen.getByRole('button', { name: 'Delete' }) };
}

test('a forbidden action stays reachable, does nothing and tells why', async () => {
  const { onClick, button } = show('Only admins and owners can do this');
  expect(button.getAttribute('aria-disabled')).toBe('true');
  expect(button.hasAttribute('disabled')).toBe(false);
  fireEvent.click(button);
  expect(onClick).not.toHaveBeenCalled();
  act(() => button.focus());
  await screen.findByText('Only admins and owners can do this');
});

test('an allowed one works', () => {
  const { onClick, button } = show(undefined);
  fireEvent.click(button);
  expect(onClick).toHaveBeenCalledOnce();
});
