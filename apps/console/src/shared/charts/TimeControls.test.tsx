import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { makeApiError } from '../api/testing.ts';
import { renderPart } from '../testing/render-part.tsx';
import { RefreshFailure } from './RefreshFailure.tsx';
import { TimeControls } from './TimeControls.tsx';

function show(isRefreshing = false) {
  const [onChange, onRefresh] = [vi.fn(), vi.fn()];
  const search = { range: '24h', refresh: '1m' } as const;
  renderPart(<TimeControls {...{ search, onChange, onRefresh, isRefreshing }} />);
  return { onChange, onRefresh, button: () => screen.getByRole('button', { name: 'Refresh now' }) };
}

test('the period of charts is chosen from five', () => {
  const { onChange } = show();
  const choice = screen.getByRole('radiogroup', { name: 'Range' });
  const labels = [...choice.querySelectorAll('label')].map(({ textContent }) => textContent);
  expect(labels).toEqual(['1 h', '6 h', '24 h', '7 d', '30 d']);
  expect(screen.getByRole<HTMLInputElement>('radio', { name: '24 h' }).checked).toBe(true);
  fireEvent.click(screen.getByRole('radio', { name: '7 d' }));
  expect(onChange).toHaveBeenCalledExactlyOnceWith({ range: '7d' });
});

test('the time between renewals of charts is chosen, and a click on the chosen one keeps it', () => {
  const { onChange } = show();
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Refresh' });
  expect(field.value).toBe('Every minute');
  fireEvent.click(field);
  fireEvent.click(screen.getByRole('option', { name: 'Every minute' }));
  expect(field.value).toBe('Every minute');
  fireEvent.click(field);
  fireEvent.click(screen.getByRole('option', { name: 'Off' }));
  expect(onChange).toHaveBeenLastCalledWith({ refresh: 'off' });
});

test('charts are renewed at once on demand', () => {
  const { onRefresh, button } = show();
  fireEvent.click(button());
  expect(onRefresh).toHaveBeenCalledOnce();
});

test('charts that are being renewed say so', () => {
  expect(show(true).button().hasAttribute('data-loading')).toBe(true);
});

test('charts that could not be renewed say why, and are tried again on demand', async () => {
  const onRetry = vi.fn();
  const body = { detail: 'The store is away.' };
  const params = { serialNumber: 'A1' };
  const error = makeApiError('querySystemMetrics', { status: 503, body, params });
  renderPart(<RefreshFailure error={error} onRetry={onRetry} />);
  await screen.findByText('Could not refresh: The store is away.');
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(onRetry).toHaveBeenCalledOnce();
});
