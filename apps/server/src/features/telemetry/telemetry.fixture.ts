import type { LastMqttData, MqttControl } from '@pult/contract';
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

/** A device whose telemetry a test writes by hand, line by line. */
export interface TellingDevice {
  device: TestDevice;
  serialNumber: string;
  /** Where the server asked to go on, newest last. */
  asked: TelemetryOffset[];
  /** The newest link; another one after `link`. */
  readonly linked: LinkedDevice;
  /** Lines to the server as they are, objects as JSON. */
  tell(...lines: readonly (string | object)[]): void;
  link(): Promise<void>;
  /** Ends the stream as an agent does that starts over. */
  endStream(): void;
  /** Waits until the server has asked that many times. */
  waitUntilAsked(count: number): Promise<void>;
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
      let waiting: string[] = [];
      let wake = () => {};
      let isEnding = false;

      async function* readTelemetry(since: TelemetryOffset, signal: AbortSignal) {
        asked.push(since);
        yield `${JSON.stringify({ streamId, lost: 0 })}\n`;
        signal.addEventListener('abort', () => wake());
        while (!signal.aborted && !isEnding) {
          const lines = waiting;
          waiting = [];
          if (lines.length > 0) yield lines.join('');
          else
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
        }
        isEnding = false;
      }

      const link = () => linkTestDevice(server, device, { handlers: { readTelemetry } });
      let linked = await link();
      const telling: TellingDevice = {
        device,
        serialNumber: device.serialNumber,
        asked,
        get linked() {
          return linked;
        },
        tell(...lines) {
          waiting.push(...lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`));
          wake();
        },
        async link() {
          linked = await link();
        },
        endStream() {
          isEnding = true;
          wake();
        },
        async waitUntilAsked(count) {
          await poll(() => asked.length >= count, { what: `the server has asked ${count} times` });
        },
      };
      await telling.waitUntilAsked(1);
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
export function valueLine(offset: number, control: string, value: string, age = 0) {
  return { offset, age, device: 'boiler', control, value };
}
