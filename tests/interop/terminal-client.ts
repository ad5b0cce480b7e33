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
  readonly terminate: () => void;
  /** Everything the terminal has shown. */
  output = '';
  /** Bytes of output that have arrived. */
  received = 0;
  /** All that was typed. */
  typed = '';
  /** One that does not draw acknowledges nothing. */
  isAcking = true;

  private constructor(socket: Awaited<ReturnType<HttpClient['openWebSocket']>>) {
    this.#messages = new WebSocketMessages(socket);
    this.closed = this.#messages.closed;
    this.#send = (data) => socket.send(data);
    this.#close = () => socket.close();
    this.terminate = () => socket.terminate();
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (!isBinary) return;
      this.received += data.length;
      if (this.isAcking && socket.readyState === socket.OPEN) this.ackOutput();
    });
  }

  /** Says that all output that has arrived is on the screen. */
  ackOutput(): void {
    this.send({ type: 'ackOutput', position: this.received });
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
    this.typed += keys;
    this.#send(Buffer.from(keys));
  }

  /** The next message about the session; what the terminal shows until then goes to `output`. */
  async nextMessage(): Promise<TerminalServerMessage> {
    for (;;) {
      const { data, isBinary } = await this.#messages.next();
      if (isBinary) this.output += data.toString();
      else {
        const message = terminalServerMessage.parse(JSON.parse(data.toString()));
        // Counts and signs of life are the protocol's own affair.
        if (message.type !== 'ackInput' && message.type !== 'alive') return message;
      }
    }
  }

  /** The next output. */
  async nextOutput(): Promise<string> {
    for (;;) {
      const { data, isBinary } = await this.#messages.next();
      if (isBinary) return data.toString();
      const { type } = JSON.parse(data.toString());
      if (type === 'failed' || type === 'exit') throw new Error(`${data} came before output`);
    }
  }

  /** Until the terminal has shown something that matches. */
  async waitForOutput(pattern: RegExp): Promise<RegExpExecArray> {
    let seen = this.output.slice(-64_000);
    for (;;) {
      const match = pattern.exec(seen);
      if (match) return match;
      const output = await this.nextOutput();
      this.output += output;
      // Whatever matches is short: looking at more for each piece of a flood took most of a test's time.
      seen = seen.slice(-4_000) + output;
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

/** What a shell says first: of the key of the device's sshd, and whether that was pinned just now. */
export async function readShell(site: Site): Promise<TerminalServerMessage> {
  const terminal = await startTerminal(site);
  try {
    return await terminal.nextMessage();
  } finally {
    terminal.close();
  }
}
