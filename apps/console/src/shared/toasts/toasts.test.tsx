import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { toast } from 'react-toastify';
import { afterEach, expect, test } from 'vitest';
import { closeErrorToasts, shortenName, showToast } from './show-toast.tsx';
import { Toasts } from './Toasts.tsx';

afterEach(() => {
  act(() => toast.dismiss());
  cleanup();
});

async function show(message: Parameters<typeof showToast>[0]) {
  render(<Toasts label="Notifications" />);
  act(() => showToast(message));
  const text = await screen.findByText(message.summary);
  const card = text.closest<HTMLElement>('.Toastify__toast');
  const bar = card?.querySelector<HTMLElement>('.Toastify__progress-bar');
  if (!card || !bar) throw new Error('no toast is shown');
  return { card, bar };
}

/** The way out is an animation as well, which only a browser runs. */
async function expectGone(card: HTMLElement) {
  await waitFor(() => expect(card.className).toContain('exit'));
}

// spec: 4.06, 8.13, 9.05
test('spec 9: a toast lives for 6000 ms, by the animation of its bar', async () => {
  const { card, bar } = await show({ severity: 'error', summary: 'Failed' });
  expect(bar.style.animationDuration).toBe('6000ms');
  fireEvent.animationEnd(bar);
  await expectGone(card);
});

// spec: 8.13
test('spec 9: the time of a toast runs from its appearance, before it has come in', async () => {
  const { card, bar } = await show({ severity: 'error', summary: 'Failed' });
  expect(bar.style.animationPlayState).toBe('running');
  fireEvent.mouseEnter(card);
  await waitFor(() => expect(bar.style.animationPlayState).toBe('paused'));
  fireEvent.animationEnd(card);
  expect(bar.style.animationPlayState).toBe('paused');
});

// spec: 4.06
test('spec 4: under the pointer the timer rests with the time that remains, and goes on after it', async () => {
  const { card, bar } = await show({ severity: 'info', summary: 'Wait' });
  fireEvent.animationEnd(card); // it has come in
  await waitFor(() => expect(bar.style.animationPlayState).toBe('running'));
  fireEvent.mouseEnter(card);
  await waitFor(() => expect(bar.style.animationPlayState).toBe('paused'));
  fireEvent.mouseLeave(card);
  await waitFor(() => expect(bar.style.animationPlayState).toBe('running'));
});

// spec: 4.06, 9.05
test('spec 4: a click on the message closes it', async () => {
  const { card } = await show({ severity: 'success', summary: 'Saved', details: 'Acme' });
  expect(screen.getByText('Acme')).toBeTruthy();
  fireEvent.click(screen.getByText('Saved'));
  await expectGone(card);
});

// spec: 4.06
test('spec 4: its close button closes it', async () => {
  const { card } = await show({ severity: 'error', summary: 'Failed' });
  fireEvent.click(screen.getByRole('button'));
  await expectGone(card);
});

// spec: 3.12
test.each(['info', 'success', 'error'] as const)(
  'spec 3: a toast of severity %s has its colour',
  async (severity) => {
    const { card } = await show({ severity, summary: severity });
    expect(card.className).toContain(`Toastify__toast--${severity}`);
    expect(card.className).toContain('colored');
  },
);

// spec: 9.05
test('spec 9: toasts are at the top right', async () => {
  await show({ severity: 'info', summary: 'Here' });
  expect(document.querySelector('.Toastify__toast-container--top-right')).toBeTruthy();
});

test('a toast with an id is shown once', async () => {
  await show({ severity: 'error', summary: 'Gone', id: 'gone' });
  act(() => showToast({ severity: 'error', summary: 'Gone', id: 'gone' }));
  expect(screen.getAllByText('Gone')).toHaveLength(1);
});

test('a toast whose message comes again has its time anew', async () => {
  const { card, bar } = await show({ severity: 'error', summary: 'Busy', id: 'busy' });
  act(() => showToast({ severity: 'error', summary: 'Busy', id: 'busy' }));
  await waitFor(() => expect(bar.isConnected).toBe(false));
  expect(card.querySelector('.Toastify__progress-bar--animated')).toBeTruthy();
});

test('three toasts lie over the page, and the next comes when one has gone', async () => {
  const { card } = await show({ severity: 'error', summary: 'First' });
  for (const summary of ['Second', 'Third', 'Fourth', 'Fourth']) {
    act(() => showToast({ severity: 'error', summary, id: summary }));
  }
  await screen.findByText('Third');
  expect(screen.queryByText('Fourth')).toBeNull();
  fireEvent.click(card);
  await expectGone(card);
  fireEvent.animationEnd(card);
  expect(await screen.findAllByText('Fourth')).toHaveLength(1);
});

test('error toasts go with the next try, and what it is told stands beside them', async () => {
  const { card } = await show({ severity: 'error', summary: 'Refused', id: 'refused' });
  act(() => showToast({ severity: 'success', summary: 'Saved' }));
  act(closeErrorToasts);
  await expectGone(card);
  expect(screen.getByText('Saved').closest('.Toastify__toast')?.className).not.toContain('exit');
  act(() => showToast({ severity: 'error', summary: 'Refused', id: 'refused' }));
  await waitFor(() => expect(screen.getAllByText('Refused')).toHaveLength(2));
});

test('a long name is shortened, and a short one is as it is', () => {
  expect(shortenName('Котельная')).toBe('Котельная');
  const shown = shortenName('я'.repeat(255));
  expect(shown).toBe(`${'я'.repeat(60)}…`);
  expect(shortenName('🏭'.repeat(61))).toBe(`${'🏭'.repeat(60)}…`);
});

test('long details are cut by the toast and whole in its title', async () => {
  const details = 'я'.repeat(255);
  await show({ severity: 'info', summary: 'Created', details });
  expect(screen.getByText(details).title).toBe(details);
});
