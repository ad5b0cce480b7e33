import { gzipSync } from 'node:zlib';
import { type AgentTraits, type AgentVersion, agentVersions } from './agent-versions.ts';
import type { AgentAnswer, AgentCallOptions, EventBody, WirenBoardDevice } from './wiren-board-device.ts';

/** What its curl asks again for, up to eight times. */
const retried: readonly (number | undefined)[] = [undefined, 408, 429, 500, 502, 503, 504];
const maxRetries = 8;
const maxProbes = 100;

/** How an answer looks behind a curl that may have asked more than once. */
interface CurlAnswer {
  /** Of the last; undefined where nobody answered. */
  status: number | undefined;
  /** What several answers leave behind one another is no JSON: nothing is in it. */
  body: Readonly<Record<string, unknown>>;
}

/**
 * The daemon of the vendor's agent in a version of its own: the order of its calls, what it makes of their answers, and where it gives up.
 * It waits for nothing: each try follows the one before at once.
 */
export class WirenBoardAgent {
  readonly device: WirenBoardDevice;
  readonly version: AgentVersion;
  readonly traits: AgentTraits;
  /** What its controller's broker tells of the hardware; a device may write whatever it likes there. */
  hardwareRevision: string | undefined;
  /** What a proxy before the server answers a request with in its place: a status, or nothing at all. */
  between: (request: string) => { status: number | undefined } | undefined = () => undefined;
  /** Of each request that was made: its method and path. */
  readonly requests: string[] = [];
  /** Seconds between its polls, as it was told. */
  pollSeconds = 10;
  /** Whether it polls for events. */
  isInitialized = false;
  /** Codes of the events that it could not apply. */
  readonly failed: string[] = [];
  /** Of its collector, as it was told last. */
  metrics: unknown;

  constructor(device: WirenBoardDevice, version: AgentVersion) {
    this.device = device;
    this.version = version;
    this.traits = agentVersions[version];
  }

  /** One round of the daemon: its start as far as that is due, then a poll. False where the process has ended, and is started anew. */
  async run(): Promise<boolean> {
    try {
      if (!this.isInitialized) await this.#start();
      await this.poll();
    } catch (error) {
      if (!(error instanceof AgentError)) throw error;
      return this.isInitialized || !this.traits.endsOnFailedStart;
    }
    return true;
  }

  async #start(): Promise<void> {
    const { probes, tellsRevisionAtOnce } = this.traits;
    if (probes) await this.#waitForServer();
    if (tellsRevisionAtOnce) await this.#tellRevision().catch(() => {}); // in a thread of its own
    const { status, body } = await this.#curl('GET', 'agent-start-up/');
    if (status !== 200) throw new AgentError(`start-up answered ${status}`);
    if (!('activated' in body && 'activationLink' in body)) throw new AgentError('start-up without a word');
    this.device.activationLink = body.activated ? 'unknown' : String(body.activationLink);
    const versions = this.traits.versions.map((name) => [
      name,
      name === 'agent_version' ? this.version : '1',
    ]);
    const told = await this.#put(Object.fromEntries(versions));
    // Whatever it was answered; but somebody has to have answered.
    if (told === undefined) throw new AgentError('versions not answered');
    if (!tellsRevisionAtOnce) await this.#tellRevision();
    this.isInitialized = true;
  }

  async #waitForServer(): Promise<void> {
    for (let tries = 0; tries < maxProbes; tries += 1) {
      this.requests.push('HEAD /');
      const { status } = this.between('HEAD /') ?? { status: await this.device.head() };
      if (status !== undefined && status >= 200 && status < 400) return;
    }
    throw new AgentError('the server is not there');
  }

  async #tellRevision(): Promise<void> {
    if (this.hardwareRevision === undefined) return;
    const status = await this.#put({ hardware_revision: this.hardwareRevision });
    if (status !== 200) throw new AgentError(`revision answered ${status}`);
  }

  async #put(body: object): Promise<number | undefined> {
    const { status } = await this.#curl('PUT', 'update_device_data/', jsonOf(body));
    return status;
  }

  /** Asks for one event, and does what it says. */
  async poll(): Promise<void> {
    const { status, body } = await this.#curl('GET', 'events/');
    if (status === 204) return;
    if (status !== 200) throw new AgentError(`events answered ${status}`);
    const { id, code, payload } = body as Partial<EventBody>;
    if (!id) throw new AgentError('unknown event id');
    if (!payload || (!this.traits.takesEmptyPayload && Object.keys(payload).length === 0))
      throw new AgentError('empty payload');
    const isApplied = this.#apply({ id, code: code ?? '', payload });
    const answer = await this.#curl(
      'POST',
      `events/${id}/confirm/`,
      this.traits.tellsApplied ? jsonOf({ applied: isApplied }) : {},
    );
    if (answer.status !== 204) throw new AgentError(`confirm answered ${answer.status}`);
    this.device.confirmed.push(code ?? '');
  }

  /** False where it confirms it all the same. */
  #apply({ id, code, payload }: EventBody): boolean {
    if (code !== 'update_metrics_config') {
      this.device.handle({ id, code, payload });
      return true;
    }
    const { metricsKey, confirmsFailedMetrics } = this.traits;
    if (metricsKey in payload || payload.enabled === false) {
      this.metrics = payload.enabled === false ? undefined : payload[metricsKey];
      this.device.activationLink = 'unknown';
      return true;
    }
    this.failed.push(code);
    if (!confirmsFailedMetrics) throw new AgentError(`no ${metricsKey}`);
    return false;
  }

  /** What it says of its collector where that fails for long; its JSON is of ASCII alone. */
  async sendCollectorLog(log: string): Promise<number | undefined> {
    const text = JSON.stringify({ reason: 'persistent_errors', log }).replace(
      /[\u0080-\uffff]/g,
      (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    const options = this.traits.packsLogs
      ? { body: gzipSync(text), headers: { 'content-encoding': 'gzip' } }
      : { body: text };
    return (await this.#curl('POST', 'metrics-collector-log/', options)).status;
  }

  async #curl(method: string, path: string, options: AgentCallOptions = {}): Promise<CurlAnswer> {
    let first: AgentAnswer | undefined;
    for (let tries = 0, answers = 0; ; tries += 1) {
      const { status, answer } = await this.#ask(method, path, options);
      if (status !== undefined) answers += 1;
      first ??= answer;
      if (retried.includes(status) && tries < maxRetries) continue;
      const seconds = Number(first?.headers['x-poll-interval']);
      if (seconds > 0) this.pollSeconds = seconds;
      const isWhole = answers === 1 && typeof answer?.body === 'object' && answer.body !== null;
      return { status, body: isWhole ? (answer.body as CurlAnswer['body']) : {} };
    }
  }

  async #ask(
    method: string,
    path: string,
    options: AgentCallOptions,
  ): Promise<{ status: number | undefined; answer?: AgentAnswer }> {
    const request = `${method} ${path}`;
    this.requests.push(request);
    const instead = this.between(request);
    if (instead) return instead;
    const answer = await this.device.call(method, path, options).catch(() => undefined);
    return answer ? { status: answer.status, answer } : { status: undefined };
  }
}

/** What ends a round of the daemon, or the daemon. */
class AgentError extends Error {}

const jsonOf = (body: object): AgentCallOptions => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});
