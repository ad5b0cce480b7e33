import { createMemoryHistory } from '@tanstack/react-router';
import { configure, render } from '@testing-library/react';
import { vi } from 'vitest';
import { emptyOverview } from '../../features/testing/fake-api.ts';
import { reportError } from '../../shared/api/errors.ts';
import { createQueryClient } from '../../shared/api/query-client.ts';
import { setAuthorized } from '../../shared/auth/authorization.ts';
import { clearBanner } from '../../shared/banner/banner.ts';
import { startI18n } from '../../shared/i18n/i18n.ts';
import { App } from '../App.tsx';
import { createErrorEffects } from '../error-effects.ts';
import { resources } from '../messages.ts';
import { Providers } from '../Providers.tsx';
import { createRouter } from '../router.ts';

/**
 * What the API answers, by method and path without the query; a number is a bare status, an error is no answer at all.
 * A promise is waited for.
 */
export type Answers = Record<string, unknown>;

// The first page of a test file is loaded while the test waits, on a machine that runs all files at once.
configure({ asyncUtilTimeout: 10_000 });

interface Options {
  path: string;
  authorized?: boolean;
  locale?: 'ru' | 'en';
  answers?: Answers;
}

export const organizationId = '01890000-0000-7000-8000-000000000001';
export const organization = { id: organizationId, name: 'Acme', totpRequired: false, userRole: 'owner' };

const noControllers = { count: 0, countOnline: 0, countOffline: 0, countNever: 0 };

const defaults: Answers = {
  'GET /api/v1/environments/': {
    MAX_ACTIVATED_CONTROLLERS: 0,
    ON_PREMISE_VERSION: '1.2.3',
    TOTP_AUTH_ENABLED: true,
  },
  'GET /api/v1/users/me/': { id: 'u', email: 'me@example.com', locale: 'en', totpEnabled: false },
  'GET /api/v1/organizations/': [organization],
  [`GET /api/v1/organizations/${organizationId}/`]: organization,
  'GET /api/v1/controllers/': { count: 0, next: null, previous: null, results: [] },
  'GET /api/v1/controllers-count/': noControllers,
  'GET /api/v1/ending-certificates/': { results: [] },
  [`GET /api/v1/organizations/${organizationId}/alerts/`]: { count: 0, results: [] },
  'GET /api/v1/groups/': [],
  [`GET /api/v1/organizations/${organizationId}/overview/`]: emptyOverview,
  'POST /api/v1/auth/logout/': 204,
};

/** The whole console in front of a faked API; what it calls is recorded. */
export function startApp({ path, authorized = true, locale = 'en', answers = {} }: Options) {
  localStorage.clear();
  localStorage.setItem('locale', locale);
  setAuthorized(authorized);
  clearBanner();
  const calls: string[] = [];
  const known: Answers = { ...defaults, ...answers };
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const call = `${init.method ?? 'GET'} ${url.split('?')[0]}`;
    calls.push(call);
    // Answers come at once: an app that goes round in circles would never leave the test its turn to end.
    if (calls.length > 500) throw new Error('the app goes round in circles');
    const answer = (await known[call]) ?? 404;
    if (answer instanceof Error) throw answer;
    if (answer instanceof Response) return answer.clone();
    if (typeof answer !== 'number') return Response.json(answer);
    return answer === 204
      ? new Response(null, { status: 204 })
      : new Response('{}', {
          status: answer,
          headers: { 'content-type': 'application/json; charset=utf-8' },
        });
  });
  vi.stubGlobal(
    'EventSource',
    class {
      close() {}
    },
  );

  startI18n(resources);
  const queryClient = createQueryClient((error, origin) => void reportError(error, effects, origin));
  const router = createRouter(queryClient, createMemoryHistory({ initialEntries: [path] }));
  const effects = createErrorEffects(router);
  render(
    <Providers queryClient={queryClient}>
      <App router={router} />
    </Providers>,
  );
  return { queryClient, router, calls, answers: known, href: () => router.state.location.href };
}
