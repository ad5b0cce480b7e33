import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { markToasted } from '../api/error-messages.ts';
import { makeApiError } from '../api/testing.ts';
import { renderPart } from '../testing/render-part.tsx';
import { ErrorState } from './ErrorState.tsx';

const refused = () => makeApiError('listGroups', { status: 500, body: { detail: 'The disk is full.' } });

test('what could not be loaded says so with the reason, and offers another try', async () => {
  const onRetry = vi.fn();
  renderPart(<ErrorState error={refused()} onRetry={onRetry} />);
  expect(screen.getByRole('heading').textContent).toBe('Could not load this');
  await screen.findByText('The disk is full.');
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(onRetry).toHaveBeenCalledOnce();
});

test('a page that knows better says what could not be loaded', () => {
  renderPart(<ErrorState error={new Error('offline')} onRetry={() => undefined} title="No map" />);
  expect(screen.getByRole('heading').textContent).toBe('No map');
  expect(screen.getByRole('alert').textContent).toContain('The server does not answer.');
});

test('a reason that a toast tells is not repeated in the page', async () => {
  const [told, other] = [
    refused(),
    makeApiError('listSessions', { status: 500, body: { detail: 'Later.' } }),
  ];
  markToasted(told);
  renderPart(
    <>
      <ErrorState error={told} onRetry={() => undefined} />
      <ErrorState error={other} onRetry={() => undefined} />
    </>,
  );
  await screen.findByText('Later.');
  expect(screen.queryByText('The disk is full.')).toBeNull();
});

test('two failures of one call are told with a reason each', async () => {
  const failed = (detail: string) => makeApiError('listGroups', { status: 500, body: { detail } });
  const { rerender } = renderPart(
    <ErrorState error={failed('The disk is full.')} onRetry={() => undefined} />,
  );
  await screen.findByText('The disk is full.');
  rerender(<ErrorState error={failed('The disk is read-only.')} onRetry={() => undefined} />);
  await screen.findByText('The disk is read-only.');
});
