import { MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { createColorSchemeManager } from '../shared/preferences/color-scheme.ts';
import { resolveVariables, theme } from '../shared/theme/theme.ts';
import { Toasts } from '../shared/toasts/Toasts.tsx';
import { DialogHost } from '../shared/ui/DialogHost.tsx';
import { ConfirmationHost } from './ConfirmationHost.tsx';

interface Props {
  queryClient: QueryClient;
  children: ReactNode;
}

const colorSchemeManager = createColorSchemeManager();

/** What every page stands in: theme, data, toasts. */
export function Providers({ queryClient, children }: Props) {
  const { t } = useTranslation('app');
  return (
    <QueryClientProvider client={queryClient}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={resolveVariables}
        colorSchemeManager={colorSchemeManager}
        defaultColorScheme="auto"
      >
        {children}
        <DialogHost />
        <ConfirmationHost />
        <Toasts label={t('toasts')} />
      </MantineProvider>
    </QueryClientProvider>
  );
}
