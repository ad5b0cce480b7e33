import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { Diagnostic, Role, RouteName } from '@pult/contract';
import type { DeviceHandlers } from '@pult/link';
import {
  createListeningServer,
  createTestDevice,
  enrolTestDevice,
  type LinkedDevice,
  type ListeningServer,
  linkTestDevice,
  type TestAnswer,
  type TestDevice,
  type TestServerOptions,
  type TestUser,
  tokenOf,
} from '@pult/testkit/in-process';
import { vi } from 'vitest';

type Collect = NonNullable<DeviceHandlers['collectDiagnostics']>;

/** A server with an organization, whose devices collect what a test says. */
export interface DiagnosticsFixture {
  server: ListeningServer;
  owner: TestUser;
  organization: string;
  /** Enrolled and claimed, but not linked. */
  addController(serialNumber: string): Promise<TestDevice>;
  link(device: TestDevice, collect?: Collect): Promise<LinkedDevice>;
  addUser(role: Role): Promise<TestUser>;
  /** By the cookie, which lives longer than a test's day. */
  call(name: RouteName, params: Record<string, string>, as?: TestUser): Promise<TestAnswer>;
  request(device: TestDevice, as?: TestUser): Promise<TestAnswer>;
  /** The newest first. */
  list(device: TestDevice): Promise<Diagnostic[]>;
  /** The newest one, once it has ended. */
  waitForEnd(device: TestDevice): Promise<Diagnostic>;
  /** What lies in the folder of archives. */
  listFiles(): Promise<string[]>;
  close(): Promise<void>;
}

/** Bytes of a tar.gz that no compression makes smaller. */
export function createArchive(bytes = 100_000): { bytes: Buffer; sha256: string } {
  const archive = gzipSync(randomBytes(bytes));
  return { bytes: archive, sha256: createHash('sha256').update(archive).digest('hex') };
}

/** A collector that answers these bytes in some parts. */
export function collectorOf(bytes: Buffer): Collect {
  return async () =>
    (async function* () {
      for (let at = 0; at < bytes.length; at += 30_000) yield bytes.subarray(at, at + 30_000);
    })();
}

export async function createDiagnosticsFixture(
  options: TestServerOptions & { dataDir: string },
): Promise<DiagnosticsFixture> {
  const { dataDir, ...rest } = options;
  const server = await createListeningServer({
    ...rest,
    environment: { DATA_DIR: dataDir, ...rest.environment },
    timing: { ...rest.timing, diagnostics: { progressMs: 20, ...rest.timing?.diagnostics } },
  });
  const owner = await server.createUser();
  const organization = await server.createOrganization(owner);
  const linked: LinkedDevice[] = [];
  const cookieOf = ({ cookie }: TestUser) => ({ cookie, origin: server.publicUrl });

  const fixture: DiagnosticsFixture = {
    server,
    owner,
    organization,
    async addController(serialNumber) {
      const device = createTestDevice(serialNumber);
      const token = tokenOf(await enrolTestDevice(server, device));
      const body = { token, organization };
      const claim = await server.call('activateController', { headers: cookieOf(owner), body });
      if (claim.status !== 200) throw new Error(`claim answered ${claim.status}`);
      return device;
    },
    async link(device, collect) {
      const handlers = collect ? { collectDiagnostics: collect } : {};
      const link = await linkTestDevice(server, device, { handlers });
      linked.push(link);
      return link;
    },
    async addUser(role) {
      const user = await server.createUser();
      await server.addMember(organization, user, role);
      return user;
    },
    call: (name, params, as = owner) => server.call(name, { headers: cookieOf(as), params }),
    request: ({ serialNumber }, as) => fixture.call('requestDiagnostic', { serialNumber }, as),
    async list({ serialNumber }) {
      const answer = await fixture.call('listDiagnostics', { serialNumber });
      // The server has checked its answer against the contract.
      return answer.body as Diagnostic[];
    },
    async waitForEnd(device) {
      return vi.waitFor(async () => {
        const [newest] = await fixture.list(device);
        if (newest?.finished) return newest;
        throw new Error(`the diagnostics are ${newest?.status}`);
      }, 25_000);
    },
    async listFiles() {
      return readdir(`${dataDir}/archives`).catch(() => []);
    },
    async close() {
      for (const { link } of linked) link.close();
      await server.close();
    },
  };
  return fixture;
}
