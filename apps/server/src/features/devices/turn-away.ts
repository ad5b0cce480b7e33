import { errorCatalogue } from '@pult/contract';
import { CHALLENGE_PATH } from '@pult/link';
import { errorHeaders } from '../../platform/http/error-answers.ts';
import type { HostHandler } from '../../platform/http/host-server.ts';
import { refuseUpgrade } from '../../platform/http/refuse-upgrade.ts';
import { describeRefusal } from './device.routes.ts';
import type { DeviceTurns } from './device-turns.ts';

const code = 'service_unavailable';

/**
 * Sends devices away at their first word while there is no room for them. Before the API, where it takes a third of the
 * time: of a fleet that comes back at once, thousands are sent away in the first seconds.
 */
export function createTurnAway(turns: Pick<DeviceTurns, 'isFull' | 'promiseReturn'>): HostHandler {
  return {
    matches: ({ url }) => url?.split('?')[0] === CHALLENGE_PATH && turns.isFull(),
    request(request, response) {
      request.resume();
      const values = { seconds: turns.promiseReturn() };
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
}
