import { lazyRouteComponent } from '@tanstack/react-router';
import { observedFetch } from '../api/connection.ts';

const storageName = 'reloadedAt';
/** Within this, in milliseconds, a second failure is no longer one of an outdated page. */
const quietTime = 10_000;

async function isServerThere(): Promise<boolean> {
  try {
    return (await observedFetch('/healthz')).ok;
  } catch {
    return false;
  }
}

/**
 * Loads a part of the console that the page does not have yet. After an update of the server the parts of an open
 * page are gone: then the page is loaded anew, once. With the server away that would leave a blank browser page, so
 * the failure is passed on to the error view.
 */
export async function loadPart<T>(importer: () => Promise<T>): Promise<T> {
  try {
    return await importer();
  } catch (cause) {
    const last = Number(sessionStorage.getItem(storageName) ?? 0);
    if (Date.now() - last > quietTime && (await isServerThere())) {
      sessionStorage.setItem(storageName, String(Date.now()));
      window.location.reload();
      return new Promise(() => {});
    }
    // Not the browser's own words: the router would reload the page because of them.
    throw new Error('A part of the console did not load.', { cause });
  }
}

/** A page that is loaded when it is first opened. */
export function lazyPage<T extends Record<string, unknown>, K extends keyof T>(
  importer: () => Promise<T>,
  name: K,
) {
  return lazyRouteComponent(() => loadPart(importer), name);
}
