import {
  BrowserClient,
  defaultStackParser,
  type ErrorEvent,
  linkedErrorsIntegration,
  makeFetchTransport,
  Scope,
} from '@sentry/react';
import { scrubPath, scrubText } from './scrub.ts';

export interface ReporterSettings {
  dsn: string;
  environment: string;
  release: string | undefined;
}

export type Reporter = (error: unknown) => void;

/** Only what is listed here leaves the browser: no address, no user, no body, no trail of what was done before. */
export function cleanEvent(event: ErrorEvent, pathname = window.location.pathname): ErrorEvent {
  const values = event.exception?.values?.map(({ type, value, mechanism, stacktrace }) => ({
    ...(type === undefined ? {} : { type }),
    ...(value === undefined ? {} : { value: scrubText(value) }),
    ...(mechanism ? { mechanism: { type: mechanism.type, handled: mechanism.handled ?? true } } : {}),
    ...(stacktrace?.frames
      ? {
          stacktrace: {
            frames: stacktrace.frames.map((frame) => ({
              filename: frame.filename && scrubText(frame.filename),
              function: frame.function,
              lineno: frame.lineno,
              colno: frame.colno,
              in_app: frame.in_app,
            })),
          },
        }
      : {}),
  }));
  const failedCall = values?.find(({ type }) => type === 'ApiError')?.value;
  return {
    type: undefined,
    event_id: event.event_id,
    timestamp: event.timestamp,
    platform: event.platform,
    level: event.level,
    environment: event.environment,
    release: event.release,
    sdk: event.sdk,
    ...(event.message === undefined ? {} : { message: scrubText(event.message) }),
    ...(values ? { exception: { values } } : {}),
    // Failed calls come out of one line of code; their route and status tell them apart.
    ...(failedCall ? { fingerprint: ['ApiError', failedCall] } : {}),
    tags: { page: scrubPath(pathname) },
  } as ErrorEvent; // absent fields are allowed where their types forget to say so
}

/** A client of its own, without the listeners, breadcrumbs and sessions that `init` would start. */
export function createReporter({ dsn, environment, release }: ReporterSettings): Reporter {
  const client = new BrowserClient({
    dsn,
    environment,
    ...(release === undefined ? {} : { release }),
    // The page's fetch as it is; by itself Sentry would take a fresh one out of a hidden frame.
    transport: (options) => makeFetchTransport(options, (...request) => globalThis.fetch(...request)),
    stackParser: defaultStackParser,
    integrations: [linkedErrorsIntegration()],
    maxBreadcrumbs: 0,
    sendClientReports: false,
    dataCollection: {
      userInfo: false,
      cookies: false,
      httpHeaders: false,
      httpBodies: [],
      urlQueryParams: false,
    },
    beforeSend: (event) => cleanEvent(event),
  });
  const scope = new Scope();
  scope.setClient(client);
  client.init();
  return (error) => void scope.captureException(error);
}
