import type { LastMqttData, MqttControl } from '@pult/contract';
import { TelemetryEncoder, type TelemetryEntry } from '@pult/link';
import { poll } from '@pult/testkit';
import {
  createListeningServer,
  createTestDevice,
  enrolTestDevice,
  type LinkedDevice,
  type ListeningServer,
  linkTestDevice,
  type TestDevice,
  type TestServerOptions,
  type TestUser,
  tokenOf,
} from '@pult/testkit/in-process';
import type { TelemetryOffset } from '../devices/index.ts';

/** A device whose telemetry a test writes by hand, entry by entry. */
export interface TellingDevice {
  device: TestDevice;
  serialNumber: string;
  /** Where the server asked to go on, newest last. */
  asked: TelemetryOffset[];
  /** The newest link; another one after `link`. */
  readonly linked: LinkedDevice;
  /** Bytes to the server as they are, objects as entries, whatever stands in them. */
  tell(...entries: readonly (Buffer | object)[]): void;
  link(): Promise<void>;
  /** Ends the stream as an agent does that starts over. */
  endStream(): void;
  /** Waits until the server has asked on the newest link, or after the end of a stream. */
  waitUntilAsked(): Promise<void>;
}

export interface TelemetryFixture {
  server: ListeningServer;
  owner: TestUser;
  organizationId: string;
  /** Enrolled, claimed and linked; greets with this stream id. */
  addDevice(streamId?: string): Promise<TellingDevice>;
  readData(serialNumber: string): Promise<LastMqttData>;
  /** The control once it is as asked for. */
  waitForControl(
    serialNumber: string,
    control: string,
    isRight?: (control: MqttControl) => boolean,
  ): Promise<MqttControl>;
}

let devices = 0;

export async function createTelemetryFixture(options: TestServerOptions = {}): Promise<TelemetryFixture> {
  const server = await createListeningServer({
    ...options,
    timing: { telemetry: { retryMs: 20 }, ...options.timing },
  });
  const owner = await server.createUser();
  const organizationId = await server.createOrganization(owner);

  const readData = async (serialNumber: string) => {
    const answer = await server.call('getLastMqttData', { as: owner, params: { serialNumber } });
    // What the route answers is checked against its schema by the test server.
    return answer.body as LastMqttData;
  };

  return {
    server,
    owner,
    organizationId,
    readData,

    async addDevice(streamId = 'stream-of-test') {
      devices += 1;
      const device = createTestDevice(`TELLING-${devices}`);
      const token = tokenOf(await enrolTestDevice(server, device));
      const claimed = await server.call('activateController', {
        as: owner,
        body: { token, organization: organizationId },
      });
      if (claimed.status !== 200) throw new Error(`not claimed: ${JSON.stringify(claimed.body)}`);
      const asked: TelemetryOffset[] = [];
      /** All of it: as with an agent, the server is told again what it has not stored. */
      let told: (Buffer | object)[] = [];
      const waiting = new Set<() => void>();
      let isAsked = false;
      /** Fires when the agent starts over. */
      let restarting = new AbortController();
      const wake = () => {
        for (const resolve of waiting) resolve();
        waiting.clear();
      };

      async function* readTelemetry(since: TelemetryOffset, signal: AbortSignal) {
        asked.push(since);
        isAsked = true;
        signal.addEventListener('abort', wake);
        const restarted = restarting.signal;
        const stored = since.streamId === streamId ? since.offset : 0;
        const kept = told.filter((entry) => 'offset' in entry && Number(entry.offset) > stored);
        let next = told.length;
        const encoder = new TelemetryEncoder();
        yield encoder.encodeGreeting({ streamId, lost: 0 });
        // As bad as a test wants them.
        yield* encoder.encode(kept as TelemetryEntry[]);
        while (!signal.aborted && !restarted.aborted) {
          const news = told.slice(next);
          next += news.length;
          yield* encoder.encode(news.filter((each) => !Buffer.isBuffer(each)) as TelemetryEntry[]);
          yield* news.filter((each) => Buffer.isBuffer(each));
          if (told.length === next) await new Promise<void>((resolve) => waiting.add(resolve));
        }
      }

      const link = () => {
        isAsked = false;
        return linkTestDevice(server, device, { handlers: { readTelemetry } });
      };
      let linked = await link();
      const telling: TellingDevice = {
        device,
        serialNumber: device.serialNumber,
        asked,
        get linked() {
          return linked;
        },
        tell(...entries) {
          told.push(...entries);
          wake();
        },
        async link() {
          linked = await link();
        },
        endStream() {
          told = [];
          restarting.abort();
          restarting = new AbortController();
          isAsked = false;
          wake();
        },
        async waitUntilAsked() {
          await poll(() => isAsked, { what: 'the server has asked' });
        },
      };
      await telling.waitUntilAsked();
      return telling;
    },

    waitForControl: (serialNumber, control, isRight = () => true) =>
      poll(
        async () => {
          const { devices: told } = await readData(serialNumber);
          const found = told.flatMap(({ controls }) => controls).find(({ id }) => id === control);
          return found && isRight(found) && found;
        },
        { what: `control ${control} is as expected` },
      ),
  };
}

/** An entry about a control of the device `boiler`. */
export function valueEntry(offset: number, control: string, value: string, age = 0) {
  return { offset, age, device: 'boiler', control, value };
}
