import { ApiError } from '@pult/contract';
import { readMeta } from '../../shared/page/meta.ts';
import type { Reporter, ReporterSettings } from './sentry.ts';

const reportedFrom = ['production', 'staging'];
/** A session that ended, and what is gone: everyday answers, not faults (spec-coverage: Error tracking only in production and staging). */
const ignoredStatuses = [401, 404];
/** Until the reporter has loaded. */
const queueLimit = 20;

/** Where errors are reported to; undefined outside production and staging, and where nothing is set. */
export function readReporterSettings(): ReporterSettings | undefined {
  const dsn = readMeta('sentry-dsn');
  const environment = readMeta('app-env');
  if (dsn === undefined || environment === undefined || !reportedFrom.includes(environment)) return undefined;
  return { dsn, environment, release: readMeta('version') };
}

function isIgnored(error: unknown): boolean {
  return error instanceof ApiError && ignoredStatuses.includes(error.status);
}

export interface ErrorTracking {
  /** Reports the error once, however many places see it. */
  track: (error: unknown) => void;
}

type LoadReporter = (settings: ReporterSettings) => Promise<Reporter>;

const loadSentry: LoadReporter = async (settings) => (await import('./sentry.ts')).createReporter(settings);

/**
 * Reports errors from production and staging to the service of SENTRY_DSN. What does so is loaded only there, after
 * the page; earlier errors wait for it.
 */
export function startErrorTracking(load: LoadReporter = loadSentry): ErrorTracking {
  const settings = readReporterSettings();
  if (!settings) return { track: () => {} };
  const seen = new WeakSet<object>();
  const queue: unknown[] = [];
  let report: Reporter = (error) => {
    if (queue.length < queueLimit) queue.push(error);
  };
  const track = (error: unknown) => {
    if (isIgnored(error)) return;
    if (typeof error === 'object' && error !== null) {
      if (seen.has(error)) return;
      seen.add(error);
    }
    report(error);
  };
  window.addEventListener('error', ({ error }) => track(error));
  window.addEventListener('unhandledrejection', ({ reason }) => track(reason));
  load(settings).then(
    (reporter) => {
      report = reporter;
      for (const error of queue.splice(0)) reporter(error);
    },
    // A page without its reporter is still a page.
    () => {
      report = () => {};
      queue.length = 0;
    },
  );
  return { track };
}
