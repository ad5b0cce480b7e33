import type { IncomingMessage } from 'node:http';
import type { RawData, WebSocket } from 'ws';
import { NodeGoneError, type PassedCalls } from '../../../platform/cluster/link/passed-calls.ts';

/** What may wait for a slow reader. */
const maxWaitingBytes = 1024 * 1024;

/** Some codes say of a connection what nobody may send. */
const isSendable = (code: number) => code >= 1000 && code !== 1004 && code !== 1005 && code !== 1006;

/** Keeps the pace of whoever reads. */
function passMessages(from: WebSocket, to: WebSocket): void {
  const isBehind = () => to.bufferedAmount > maxWaitingBytes;
  from.on('message', (data: RawData, isBinary) => {
    if (to.readyState !== to.OPEN) return;
    to.send(data as Buffer, { binary: isBinary }, () => {
      if (from.isPaused && !isBehind()) from.resume();
    });
    if (isBehind()) from.pause();
  });
  from.on('error', () => from.terminate());
  from.on('close', (code: number, reason: Buffer) => {
    // A connection that broke breaks the other one: nobody has said goodbye.
    if (isSendable(code)) to.close(code, reason);
    else to.terminate();
  });
}

/**
 * From now on the page talks with that node, to which goes first what it has said. Rejects with NodeGoneError where that node is gone,
 * and otherwise where it is not reached.
 */
export async function passWebSocketOn(
  passedCalls: PassedCalls | undefined,
  { webSocket, request, nodeId }: { webSocket: WebSocket; request: IncomingMessage; nodeId: string },
  first: string,
): Promise<void> {
  if (!passedCalls) throw new NodeGoneError();
  // What the page says meanwhile is for that node as well.
  webSocket.pause();
  const far = await passedCalls.openWebSocket(request, nodeId);
  far.send(first);
  passMessages(webSocket, far);
  passMessages(far, webSocket);
  if (webSocket.readyState === webSocket.OPEN) webSocket.resume();
  else far.terminate();
}
