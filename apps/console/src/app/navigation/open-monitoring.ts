import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { api } from '../../shared/api/client.ts';
import { paths } from '../../shared/paths.ts';

/** To a place outside the console, instead of the address that leads there: "back" would only lead there again. */
const leave = (url: string) => window.location.replace(url);

/**
 * Leads to where the server shows measurements: a page of this console, or a Grafana elsewhere (spec, section 7: the
 * controller is appended as a variable). Where that cannot be told, the built-in page still works, and a toast says why.
 */
export async function openMonitoring(
  queryClient: QueryClient,
  organizationId: string,
  controller: string | undefined,
): Promise<never> {
  // Asked as an action: the error catalogue tells of a refusal of any kind.
  const asking = queryClient.getMutationCache().build(queryClient, {
    mutationFn: () => api('getGrafanaAccess', { params: { organizationId } }),
  });
  const variable: Record<string, string> = controller === undefined ? {} : { 'var-controller': controller };
  const builtIn = new URL(paths.monitoring(organizationId), window.location.origin);
  const url = await asking.execute(undefined).then(
    ({ grafanaUrl }) => new URL(grafanaUrl, window.location.origin),
    () => builtIn,
  );
  for (const [name, value] of Object.entries(variable)) url.searchParams.set(name, value);
  if (url.origin === window.location.origin) {
    throw redirect({ href: url.pathname + url.search, replace: true });
  }
  leave(url.href);
  // The page goes; until then it shows that something loads.
  return new Promise(() => {});
}
