import { once } from 'node:events';
import { type FilesClientMessage, type FilesServerMessage, terminalFilesPath } from '@pult/contract';
import { WebSocketMessages } from '@pult/testkit';
import { WebSocket } from 'ws';

/** The file panel as a page holds it. */
export class FilePanel {
  readonly messages: WebSocketMessages;
  readonly socket: WebSocket;
  #lastRequest = 0;

  constructor(socket: WebSocket) {
    this.socket = socket;
    this.messages = new WebSocketMessages(socket);
  }

  static async open(url: string, headers: Record<string, string>): Promise<FilePanel> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${terminalFilesPath}`, { headers });
    const panel = new FilePanel(socket);
    await once(socket, 'open');
    return panel;
  }

  nextRequest(): number {
    this.#lastRequest += 1;
    return this.#lastRequest;
  }

  send(message: FilesClientMessage): void {
    this.socket.send(JSON.stringify(message));
  }

  /** The next word that is no progress. */
  async next(): Promise<FilesServerMessage> {
    for (;;) {
      const { data } = await this.messages.next();
      const message: FilesServerMessage = JSON.parse(String(data));
      if (message.type !== 'progress') return message;
    }
  }

  async attach(resumeToken: string): Promise<FilesServerMessage> {
    this.send({ type: 'attach', resumeToken });
    return this.next();
  }

  list(path: string): Promise<FilesServerMessage> {
    this.send({ type: 'list', request: this.nextRequest(), path });
    return this.next();
  }

  download(path: string): Promise<FilesServerMessage> {
    this.send({ type: 'download', request: this.nextRequest(), path });
    return this.next();
  }

  /** Sends a whole file within no window at all; the server holds back. */
  async upload(
    folder: string,
    name: string,
    content: Buffer,
    collision: 'ask' | 'replace' | 'keep_both' = 'ask',
  ): Promise<FilesServerMessage> {
    const request = this.nextRequest();
    this.send({ type: 'upload', request, folder, name, size: content.length, collision });
    const begun = await this.next();
    if (begun.type !== 'upload') return begun;
    for (let at = 0; at < content.length; at += 65_536) this.socket.send(content.subarray(at, at + 65_536));
    this.send({ type: 'sent', request });
    return this.next();
  }
}
