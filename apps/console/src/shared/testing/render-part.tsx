import { MantineProvider } from '@mantine/core';
import { locales } from '@pult/contract';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { insideNamespaces } from '../../app/inside-messages.ts';
import { namespaces } from '../../app/messages.ts';
import { pageNamespaces } from '../../app/page-messages.ts';
import { createQueryClient } from '../api/query-client.ts';
import { startI18n } from '../i18n/i18n.ts';
import { DialogHost } from '../ui/DialogHost.tsx';

const texts = Object.entries({ ...namespaces, ...insideNamespaces, ...pageNamespaces });

/** A part of the console on a page of its own, in English; what it asks of a server is the test's. */
export function renderPart(part: ReactNode, queryClient: QueryClient = createQueryClient(() => undefined)) {
  localStorage.setItem('locale', 'en');
  startI18n(
    Object.fromEntries(
      locales.map((locale) => [locale, Object.fromEntries(texts.map(([name, of]) => [name, of[locale]]))]),
    ),
  );
  return render(part, {
    wrapper: ({ children }) => (
      <MantineProvider env="test">
        <QueryClientProvider client={queryClient}>
          {children}
          <DialogHost />
        </QueryClientProvider>
      </MantineProvider>
    ),
  });
}
