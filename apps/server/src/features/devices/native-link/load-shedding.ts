import { errorCatalogue } from '@pult/contract';
import { CHALLENGE_PATH } from '@pult/link';
import { errorHeaders } from '../../../platform/http/error-answers.ts';
import type { HostHandler, HostSite } from '../../../platform/http/host-server.ts';
import { refuseUpgrade } from '../../../platform/http/refuse-upgrade.ts';
import type { AdmissionControl } from '../admission-control.ts';
import type { ClientLimits } from '../client-limits.ts';
import { describeRefusal } from './describe-refusal.ts';

const code = 'service_unavailable';

/**
 * Refuses devices at their first word while there is no room for them. Before the API, where it takes a third of the
 * time: of a fleet that comes back at once, thousands are refused in the first seconds.
 */
export function createLoadShedding(
  limits: Pick<ClientLimits, 'isFull'>,
  admission: Pick<AdmissionControl, 'issueRetryAfter'>,
): HostHandler {
  const site: HostSite = {
    request(request, response) {
      request.resume();
      const values = { seconds: admission.issueRetryAfter() };
      const body = JSON.stringify(describeRefusal(code, values));
      response
        .writeHead(errorCatalogue[code].status, {
          ...errorHeaders(code, values),
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(body),
          connection: 'close',
        })
        .end(body);
    },
    upgrade: (_request, socket) => refuseUpgrade(socket, 404),
  };
  const isRefused = (url: string | undefined) => url?.split('?')[0] === CHALLENGE_PATH && limits.isFull();
  return { find: ({ url }) => (isRefused(url) ? site : undefined) };
}
