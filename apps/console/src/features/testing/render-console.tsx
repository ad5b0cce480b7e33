import type { OrganizationEvent } from '@pult/contract';
import { createMemoryHistory, type RouterHistory } from '@tanstack/react-router';
import { act, render } from '@testing-library/react';
import { vi } from 'vitest';
import { App } from '../../app/App.tsx';
import { createErrorEffects } from '../../app/error-effects.ts';
import { resources } from '../../app/messages.ts';
import { Providers } from '../../app/Providers.tsx';
import { createRouter } from '../../app/router.ts';
import { reportError } from '../../shared/api/errors.ts';
import { createQueryClient } from '../../shared/api/query-client.ts';
import { startI18n } from '../../shared/i18n/i18n.ts';
import { type Answers, createFakeApi } from './fake-api.ts';

/** The browser's event stream with the server replaced by the test. */
class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  static open: FakeEventSource[] = [];
  readyState = 1;
  emitted = 0;
  onmessage: ((event: MessageEvent) => void) | null = null;
  constructor() {
    super();
    FakeEventSource.open.push(this);
  }
  close() {
    FakeEventSource.open = FakeEventSource.open.filter((source) => source !== this);
  }
}

interface Options {
  answers?: Answers;
  isAuthorized?: boolean;
  locale?: 'ru' | 'en';
  /** Of a page that is loaded again. */
  history?: RouterHistory;
}

/** The real console at an address, on a fake API. */
export function renderConsole(
  address: string,
  {
    answers = {},
    isAuthorized = true,
    locale = 'en',
    history = createMemoryHistory({ initialEntries: [address] }),
  }: Options = {},
) {
  FakeEventSource.open = [];
  localStorage.setItem('isAuthorized', String(isAuthorized));
  localStorage.setItem('locale', locale);
  startI18n(resources);
  const api = createFakeApi(answers);
  vi.stubGlobal('fetch', api.fetch);
  vi.stubGlobal('EventSource', FakeEventSource);
  vi.stubGlobal('scrollTo', () => undefined);

  const queryClient = createQueryClient((error, origin) => void reportError(error, effects, origin));
  const router = createRouter(queryClient, history);
  const effects = createErrorEffects(router);
  const view = render(
    <Providers queryClient={queryClient}>
      <App router={router} />
    </Providers>,
  );
  return {
    ...view,
    ...api,
    router,
    queryClient,
    address: () => decodeURIComponent(history.location.href),
    emit: (event: OrganizationEvent) =>
      act(() => {
        for (const source of FakeEventSource.open) {
          const after = String(source.emitted);
          source.emitted += 1;
          const data = JSON.stringify({ after, cursor: String(source.emitted), changes: [event] });
          source.onmessage?.(new MessageEvent('message', { data }));
        }
      }),
  };
}
