import {
  type TerminalClientMessage,
  type TerminalServerMessage,
  terminalPath,
  terminalServerMessage,
} from '@pult/contract';
import { HttpClient, WebSocketMessages } from '@pult/testkit';
import { openTunnel, type Site } from './site.ts';

/** One terminal session as the console holds it: JSON in text messages, the terminal's bytes in binary ones. */
export class TerminalClient {
  readonly closed: WebSocketMessages['closed'];
  readonly #messages: WebSocketMessages;
  readonly #send: (data: string | Buffer) => void;
  readonly #close: () => void;
  /** Everything the terminal has shown. */
  output = '';

  private constructor(socket: Awaited<ReturnType<HttpClient['openWebSocket']>>) {
    this.#messages = new WebSocketMessages(socket);
    this.closed = this.#messages.closed;
    this.#send = (data) => socket.send(data);
    this.#close = () => socket.close();
  }

  /** `headers` decide who it is; by default the administrator, from the console's own origin. */
  static async open(site: Site, headers?: Record<string, string>): Promise<TerminalClient> {
    const socket = await new HttpClient().openWebSocket(site.server.url + terminalPath, {
      headers: headers ?? { authorization: `Bearer ${site.api.access}`, origin: site.server.url },
    });
    return new TerminalClient(socket);
  }

  send(message: TerminalClientMessage): void {
    this.#send(JSON.stringify(message));
  }

  sendRaw(data: string): void {
    this.#send(data);
  }

  type(keys: string): void {
    this.#send(Buffer.from(keys));
  }

  /** The next JSON message; what the terminal shows until then goes to `output`. */
  async nextMessage(): Promise<TerminalServerMessage> {
    for (;;) {
      const { data, isBinary } = await this.#messages.next();
      if (!isBinary) return terminalServerMessage.parse(JSON.parse(data.toString()));
      this.output += data.toString();
    }
  }

  /** Until the terminal has shown something that matches. */
  async waitForOutput(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.output);
      if (match) return match;
      const { data, isBinary } = await this.#messages.next();
      if (!isBinary) throw new Error(`${data} came before ${pattern} in ${JSON.stringify(this.output)}`);
      this.output += data.toString();
    }
  }

  close(): void {
    this.#close();
  }
}

type Start = Extract<TerminalClientMessage, { type: 'start' }>;

/** Opens a tunnel and the terminal, and sends the first message with the site's own key unless told otherwise. */
export async function startTerminal(site: Site, start: Partial<Start> = {}): Promise<TerminalClient> {
  const { tunnelKey } = await openTunnel(site, 'ssh');
  const terminal = await TerminalClient.open(site);
  terminal.send({
    type: 'start',
    tunnelKey,
    username: site.ssh.user,
    credential: { method: 'private_key', privateKey: site.ssh.clientKey.privateKey },
    columns: 80,
    rows: 24,
    ...start,
  });
  return terminal;
}
