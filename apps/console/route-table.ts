import type { Plugin } from 'vite';
import type { Route } from '../../packages/contract/src/route.ts';
import { routes } from '../../packages/contract/src/routes/index.ts';

/**
 * Leaves the schemas of the API out of the built page: a browser needs of a route only its method, its path and
 * which confirmation to ask for; the server checks the rest. This keeps zod, a tenth of the first load, away from
 * the login.
 */
export function routeTable(): Plugin {
  const table = Object.fromEntries(
    Object.entries<Route>(routes).map(([name, { method, path, confirmation }]) => [
      name,
      // JSON has no undefined: a route without a confirmation has no such key either.
      { method, path, confirmation },
    ]),
  );
  return {
    name: 'pult:route-table',
    apply: 'build',
    load(id) {
      if (!id.endsWith('/packages/contract/src/routes/index.ts')) return null;
      return { code: `export const routes = ${JSON.stringify(table)};`, moduleSideEffects: false };
    },
    // Schemas are built when their module loads, which a bundler must take for an effect; nothing else happens there.
    transform(_, id) {
      return id.includes('/packages/contract/src/') ? { moduleSideEffects: false } : null;
    },
  };
}
