import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RouteName, roles } from '@pult/contract';
import type { IdentityProvider } from '@pult/testkit';
import {
  type CallOptions,
  createTestController,
  createTestDevice,
  enrolTestDevice,
  type TestAnswer,
  type TestUser,
  tokenOf,
} from '@pult/testkit/in-process';
import { createAccountEntries } from './access-matrix.accounts.fixture.ts';
import { createAlertEntries } from './access-matrix.alerts.fixture.ts';
import { createDiagnosticsEntries } from './access-matrix.diagnostics.fixture.ts';
import { createFleetEntries } from './access-matrix.fleet.fixture.ts';
import { createGuestEntries, prepareLinkedController } from './access-matrix.guests.fixture.ts';
import { createInstallationEntries } from './access-matrix.installation.fixture.ts';
import {
  type CallAsTwin,
  createOrganizationEntries,
  type Entry,
  type Matrix,
  ownAffair,
} from './access-matrix.organizations.fixture.ts';
import { createServiceAccountEntries } from './access-matrix.service-accounts.fixture.ts';
import { createSignInEntries } from './access-matrix.sign-in.fixture.ts';
import { hashCredential } from './access-matrix.tokens.fixture.ts';
import { createTunnelEntries } from './access-matrix.tunnels.fixture.ts';
import { createId } from './platform/ids.ts';

/** The organization that is called at, and those who have nothing to do with it. */
export interface WholeMatrix extends Matrix {
  stranger: TestUser;
  former: TestUser;
  administrator: TestUser;
  /** Of the installation. */
  peer: IdentityProvider;
}

/** What each call of the contract needs, and what it shows. A new route without an entry does not compile. */
export function createMatrixEntries(matrix: () => WholeMatrix): Record<RouteName, Entry> {
  let devices = 0;
  const nothing = async (): Promise<CallOptions> => ({});

  const prepareController = async () => {
    const { serialNumber } = await createTestController(matrix().server, {
      organizationId: matrix().organization,
    });
    return { params: { serialNumber } };
  };

  async function prepareService() {
    const { params } = await prepareController();
    const body = { port: 8080, name: 'Node-RED' };
    await matrix().server.call('createService', { as: matrix().members.owner, params, body });
    return { params: { ...params, port: '8080' } };
  }

  /** The stream goes on for ever: once its head is there, the matrix().server says it will stop. */
  async function callAndStop(options: CallOptions): Promise<TestAnswer> {
    let answer: TestAnswer | undefined;
    const calling = matrix()
      .server.call('listenToEvents', options)
      .then((value) => {
        answer = value;
      });
    while (answer === undefined) {
      matrix().server.server.events.publish('serverStopping', {});
      await nextTurn();
    }
    await calling;
    return answer;
  }

  const callAsTwin: CallAsTwin = async (name, { as, headers = {}, ...rest }, prepareTwin) => {
    const users = [
      ...Object.values(matrix().members),
      matrix().stranger,
      matrix().former,
      matrix().administrator,
    ];
    const caller = as ?? users.find(({ cookie }) => cookie === headers.cookie);
    if (!caller) return matrix().server.call(name, { headers, ...rest });
    const plain = await matrix().server.createUser();
    const role = roles.find((each) => matrix().members[each] === caller);
    if (role) await matrix().server.addMember(matrix().organization, plain, role);
    const { twin, ...own } = await prepareTwin(plain);
    const options = {
      ...rest,
      ...(own.body === undefined ? {} : { body: own.body }),
      ...(own.params ? { params: own.params } : {}),
    };
    if (as) return matrix().server.call(name, { as: twin, headers, ...options });
    return matrix().server.call(name, { headers: { ...headers, cookie: twin.cookie }, ...options });
  };

  /** A file that this very caller has asked for in a terminal of theirs. */
  async function downloadOffered(options: CallOptions): Promise<TestAnswer> {
    const { as, headers = {}, params = {} } = options;
    const users = [
      ...Object.values(matrix().members),
      matrix().stranger,
      matrix().former,
      matrix().administrator,
    ];
    const caller = as ?? users.find(({ cookie }) => cookie === headers.cookie);
    // Of the caller's sessions the one of this very credential: the matrix logs the owner in again and again.
    const tokenHash = hashCredential(options, caller?.cookie);
    const session = await matrix()
      .server.db.selectFrom('sessions')
      .select('id')
      .where('token_hash', '=', tokenHash)
      .executeTakeFirst();
    const transferId = matrix().server.server.fileDownloads.offer({
      sessionId: session?.id ?? createId(),
      serialNumber: params.serialNumber ?? '',
      name: 'syslog',
      size: 4,
      open: async () => Readable.from(Buffer.from('line')),
      onExpired: () => {},
    });
    return matrix().server.call('downloadTerminalFile', { ...options, params: { ...params, transferId } });
  }

  const entries: Record<RouteName, Entry> = {
    getEnvironments: { prepare: nothing, outsider: ownAffair },
    ...createAccountEntries(matrix, callAsTwin),
    listOrganizations: {
      prepare: nothing,
      outsider: { shows: (body) => JSON.stringify(body).includes(matrix().organization) },
    },
    createOrganization: { prepare: async () => ({ body: { name: 'New' } }), outsider: ownAffair },
    getOrganization: {
      prepare: async () => ({ params: { organizationId: matrix().organization } }),
      outsider: 'organization_not_found',
    },
    ...createOrganizationEntries(matrix),
    ...createSignInEntries(matrix, callAsTwin, () => matrix().peer),
    ...createServiceAccountEntries(matrix),
    ...createFleetEntries(matrix),
    ...createDiagnosticsEntries(matrix),
    ...createInstallationEntries(matrix),
    ...createAlertEntries(matrix),
    listControllers: {
      prepare: async () => {
        await prepareController();
        return { query: { organization_id: matrix().organization } };
      },
      outsider: { shows: (body) => (body as { count: number }).count > 0 },
    },
    countControllers: {
      prepare: async () => {
        await prepareController();
        return { query: { organization_id: matrix().organization } };
      },
      outsider: { shows: (body) => (body as { count: number }).count > 0 },
    },
    // The installation's figure, which anyone logged in may know.
    countAllControllers: { prepare: nothing, outsider: ownAffair },
    getController: { prepare: prepareController, outsider: 'controller_not_found' },
    updateController: {
      prepare: async () => ({ ...(await prepareController()), body: { description: 'changed' } }),
      outsider: 'controller_not_found',
    },
    deleteController: { prepare: prepareController, outsider: 'controller_not_found' },
    listenToEvents: {
      prepare: async () => ({ query: { organization_id: matrix().organization } }),
      outsider: 'organization_not_found',
      call: callAndStop,
    },
    validateActivation: {
      // Whoever can read a device's screen may know its serial number, which is on that screen.
      prepare: async () => ({ body: { token: await enrol() } }),
      outsider: ownAffair,
    },
    listLanAddresses: { prepare: nothing, outsider: ownAffair },
    activateController: {
      prepare: async () => ({ body: { token: await enrol(), organization: matrix().organization } }),
      outsider: 'organization_not_found',
    },
    downloadTerminalFile: {
      prepare: prepareController,
      outsider: 'controller_not_found',
      call: downloadOffered,
    },
    ...createTunnelEntries(matrix),
    ...createGuestEntries(matrix),
    openTunnel: {
      prepare: () => prepareLinkedController(matrix()),
      outsider: 'controller_not_found',
    },
    forgetHostKey: { prepare: prepareController, outsider: 'controller_not_found' },
    listServices: { prepare: prepareController, outsider: 'controller_not_found' },
    getWebCache: { prepare: prepareController, outsider: 'controller_not_found' },
    updateWebCache: {
      prepare: async () => ({ ...(await prepareController()), body: { enabled: false } }),
      outsider: 'controller_not_found',
    },
    createService: {
      prepare: async () => ({ ...(await prepareController()), body: { port: 8080, name: 'Node-RED' } }),
      outsider: 'controller_not_found',
    },
    updateService: {
      prepare: async () => ({ ...(await prepareService()), body: { name: 'changed' } }),
      outsider: 'controller_not_found',
    },
    deleteService: { prepare: prepareService, outsider: 'controller_not_found' },
  };

  async function enrol(): Promise<string> {
    devices += 1;
    return tokenOf(await enrolTestDevice(matrix().server, createTestDevice(`MATRIX-${devices}`)));
  }

  return entries;
}
