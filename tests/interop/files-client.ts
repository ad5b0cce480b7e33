import {
  type FilesClientMessage,
  type FilesServerMessage,
  filesServerMessage,
  fileWindows,
  terminalFilesPath,
} from '@pult/contract';
import { HttpClient, WebSocketMessages } from '@pult/testkit';
import type { Site } from './site.ts';

/** The file panel of an open terminal, as the console uses it. */
export class FilesClient {
  /** Where downloads are fetched. */
  readonly #site: Site;
  readonly #messages: WebSocketMessages;
  readonly #send: (data: string | Buffer) => void;
  #lastRequest = 0;

  private constructor(site: Site, socket: Awaited<ReturnType<HttpClient['openWebSocket']>>) {
    this.#site = site;
    this.#messages = new WebSocketMessages(socket);
    this.#send = (data) => socket.send(data);
  }

  static async open(site: Site, resumeToken: string, downloadsFrom = site): Promise<FilesClient> {
    const socket = await new HttpClient().openWebSocket(site.server.url + terminalFilesPath, {
      headers: { authorization: `Bearer ${site.api.access}`, origin: site.server.url },
    });
    const files = new FilesClient(downloadsFrom, socket);
    files.send({ type: 'attach', resumeToken });
    await files.expect('attached');
    return files;
  }

  send(message: FilesClientMessage): void {
    this.#send(JSON.stringify(message));
  }

  async next(): Promise<FilesServerMessage> {
    const { data } = await this.#messages.next();
    return filesServerMessage.parse(JSON.parse(data.toString()));
  }

  /** The next message but progress, of this very type. */
  async expect<Type extends FilesServerMessage['type']>(
    type: Type,
  ): Promise<Extract<FilesServerMessage, { type: Type }>> {
    for (;;) {
      const message = await this.next();
      if (message.type === 'progress') continue;
      if (message.type !== type) throw new Error(`${JSON.stringify(message)} came before ${type}`);
      // Its type was just compared.
      return message as Extract<FilesServerMessage, { type: Type }>;
    }
  }

  /** Within the window, as a page does it. */
  async upload(folder: string, name: string, content: Buffer): Promise<void> {
    this.#lastRequest += 1;
    const request = this.#lastRequest;
    this.send({ type: 'upload', request, folder, name, size: content.length, collision: 'ask' });
    await this.expect('upload');
    let written = 0;
    for (let at = 0; at < content.length; ) {
      if (at - written < fileWindows.upload) {
        this.#send(content.subarray(at, at + fileWindows.uploadMessage));
        at += fileWindows.uploadMessage;
        continue;
      }
      const message = await this.next();
      if (message.type !== 'progress') throw new Error(JSON.stringify(message));
      written = message.bytes;
    }
    this.send({ type: 'sent', request });
    await this.expect('done');
  }

  async download(path: string): Promise<Buffer> {
    this.#lastRequest += 1;
    this.send({ type: 'download', request: this.#lastRequest, path });
    const { transferId } = await this.expect('download');
    const { server, serialNumber, api } = this.#site;
    const url = `${server.url}/api/v1/controllers/${serialNumber}/files/${transferId}/`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${api.access}` } });
    if (answer.status !== 200) throw new Error(`the download answered ${answer.status}`);
    const content = Buffer.from(await answer.arrayBuffer());
    await this.expect('done');
    return content;
  }
}
