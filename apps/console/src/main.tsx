import '@mantine/core/styles.css';
import './shared/theme/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { createErrorEffects } from './app/error-effects.ts';
import { resources } from './app/messages.ts';
import { Providers } from './app/Providers.tsx';
import { createRouter } from './app/router.ts';
import { reportError } from './shared/api/errors.ts';
import { createQueryClient } from './shared/api/query-client.ts';
import { onAuthorizedElsewhere } from './shared/auth/authorization.ts';
import { startI18n } from './shared/i18n/i18n.ts';

startI18n(resources);

const queryClient = createQueryClient((error, origin) => void reportError(error, effects, origin));
const router = createRouter(queryClient);
const effects = createErrorEffects(router);

// The guards decide anew where this tab belongs.
onAuthorizedElsewhere(() => void router.invalidate());

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <Providers queryClient={queryClient}>
      <App router={router} />
    </Providers>
  </StrictMode>,
);
