import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { createFakeApi, refuse } from '../testing/fake-api.ts';
import { diagnosticQuery, useDiagnostic } from './queries.ts';

// spec: 8.07
test('spec 8: a failed fetch of the last diagnostics is an empty status, id and created', async () => {
  const collecting = { status: 'collecting', id: '01890a5d', created: '2025-11-20T09:40:00Z' };
  const empty = { status: null, id: null, created: null };
  const answer: { now: unknown } = { now: collecting };
  vi.stubGlobal('fetch', createFakeApi({ getDiagnostic: () => answer.now }).fetch);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(() => useDiagnostic('A1'), { wrapper });
  expect(result.current).toEqual(empty);
  await waitFor(() => expect(result.current).toEqual(collecting));
  // What was known before is no answer either.
  answer.now = refuse(404, 'controller_not_found');
  await client.refetchQueries({ queryKey: diagnosticQuery('A1').queryKey });
  await waitFor(() => expect(result.current).toEqual(empty));
});
