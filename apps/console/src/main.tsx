import '@mantine/core/styles.css';
import './shared/theme/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { createErrorEffects } from './app/error-effects.ts';
import { startErrorTracking } from './app/error-tracking/error-tracking.ts';
import { resources } from './app/messages.ts';
import { followOtherTabs, watchUser } from './app/navigation/session.ts';
import { Providers } from './app/Providers.tsx';
import { createRouter } from './app/router.ts';
import { isReachable } from './shared/api/connection.ts';
import { reportError } from './shared/api/errors.ts';
import { createQueryClient } from './shared/api/query-client.ts';
import { startI18n } from './shared/i18n/i18n.ts';
import { resetDocumentTitle } from './shared/page/title.ts';

// Of a page that no server has filled in.
resetDocumentTitle();
const { track } = startErrorTracking();
startI18n(resources);

const queryClient = createQueryClient((error, origin) => {
  // A server that is away is told by the page; it is no fault of the console.
  if (isReachable()) track(error);
  void reportError(error, effects, origin);
});
const router = createRouter(queryClient);
const effects = createErrorEffects(router);

followOtherTabs(router, queryClient);
// Whatever is on the page is another user's: texts, dialogs, what was typed. None of it may stay.
watchUser(queryClient, () => window.location.reload());

function trackAndLog(error: unknown) {
  track(error);
  // biome-ignore lint/suspicious/noConsole: what React does itself where nothing else is given
  console.error(error);
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root, {
  onUncaughtError: trackAndLog,
  onCaughtError: trackAndLog,
}).render(
  <StrictMode>
    <Providers queryClient={queryClient}>
      <App router={router} />
    </Providers>
  </StrictMode>,
);
