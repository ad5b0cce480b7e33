import { once } from 'node:events';
import {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
  request as sendRequest,
} from 'node:http';
import { finished } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { WebSocket } from 'ws';
import { DomainError } from '../../errors.ts';
import type { ClientAddress } from '../../http/client-address.ts';
import { acceptNodeStream, type NodeLink, type NodeStream, streamPriorities } from './node-link.ts';

/** A stream between nodes that begins so is a connection of HTTP. The address of whoever calls follows, and what another version adds. */
const callWord = 'CALL';

/** The node that would have to answer a call is gone, and whatever lived in it. */
export class NodeGoneError extends Error {
  override readonly name = 'NodeGoneError';
}

/** Calls about what lives in the process of another node: that node looks at them as if they had come to it. */
export interface PassedCalls {
  /** Has that node answer a request without a body. `begin` is called before anything is answered; a rejection comes instead. */
  answer(
    request: IncomingMessage,
    response: ServerResponse,
    nodeId: string,
    begin: () => unknown,
  ): Promise<void>;
  /** The same connection at that node, for whoever has opened this one. */
  openWebSocket(request: IncomingMessage, nodeId: string): Promise<WebSocket>;
}

const connectTimeoutMs = 5_000;
/** Of one connection, or what only the first of two proxies may say. */
const ownHeaders =
  /^(connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|forwarded|x-forwarded-.*|x-ssl-client-.*|sec-websocket-.*)$/;

function passedHeaders(headers: NodeJS.Dict<string | string[]>): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.test(name)));
}

export function createPassedCalls(dependencies: {
  link: Pick<NodeLink, 'open'>;
  /** Undefined for one that is gone. */
  findAddress: (nodeId: string) => Promise<string | undefined>;
  addressOf: ClientAddress;
}): PassedCalls {
  const { link, findAddress, addressOf } = dependencies;

  async function connect(nodeId: string, client: string): Promise<NodeStream> {
    const address = await findAddress(nodeId);
    if (address === undefined) throw new NodeGoneError();
    const options = { priority: streamPriorities.page, answerTimeoutMs: connectTimeoutMs };
    const stream = link.open({ id: nodeId, address }, `${callWord} ${client}`, options);
    await once(stream, 'connect');
    return stream;
  }

  return {
    async answer(request, response, nodeId, begin) {
      const stream = await connect(nodeId, addressOf(request));
      const { method, url: path } = request;
      // The length of a body that is not sent would have the other node wait for it.
      const { 'content-length': _, ...headers } = passedHeaders(request.headers);
      const asked = sendRequest({
        ...{ method, path, headers },
        createConnection: () => stream,
      });
      response.once('close', () => stream.destroy());
      asked.end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      asked.on('error', () => {}); // from here on the body fails
      begin();
      response.writeHead(answer.statusCode ?? 502, passedHeaders(answer.headers));
      answer.pipe(response);
      // A cut answer is cut for whoever reads it, too.
      finished(answer).catch(() => response.destroy());
    },

    async openWebSocket(request, nodeId) {
      const stream = await connect(nodeId, addressOf(request));
      const webSocket = new WebSocket(`ws://${request.headers.host}${request.url}`, {
        headers: passedHeaders(request.headers) as Record<string, string>,
        createConnection: () => stream,
        perMessageDeflate: false,
      });
      await once(webSocket, 'open');
      return webSocket;
    },
  };
}

/** Serves what other nodes pass on: each is a connection of HTTP, with the address of whoever made it. */
export function takePassedCalls(link: Pick<NodeLink, 'handle'>, serve: (stream: NodeStream) => void): void {
  link.handle(callWord, (stream, rest) => {
    acceptNodeStream(stream);
    serve(Object.defineProperty(stream, 'remoteAddress', { value: rest.split(' ', 1)[0] }));
  });
}

/** Throws `gone` where the node is gone that would have to answer, and `service_unavailable` where it is not reached. */
export async function passCallOn(
  passedCalls: PassedCalls | undefined,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  nodeId: string,
  gone: DomainError,
): Promise<void> {
  try {
    if (!passedCalls) throw new NodeGoneError();
    await passedCalls.answer(request.raw, reply.raw, nodeId, () => reply.hijack());
  } catch (error) {
    throw error instanceof NodeGoneError ? gone : new DomainError('service_unavailable', 'node_failed');
  }
}
