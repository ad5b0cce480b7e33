import { routes } from '@pult/contract';
import { type Node, readNameAtNode } from '../../../platform/cluster/index.ts';
import { type PassedCalls, passCallOn } from '../../../platform/cluster/link/passed-calls.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { Api } from '../../../platform/http/api.ts';
import type { FileDownloads } from './file-downloads.ts';
import { FileError } from './file-error.ts';

/** RFC 6266: a plain name for old readers, the true one for the rest. A device may have named its file anything. */
function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

export function registerFileDownloads(
  api: Api,
  dependencies: {
    downloads: FileDownloads;
    node: Node;
    passedCalls: PassedCalls | undefined;
  },
): void {
  const { downloads, node, passedCalls } = dependencies;
  api.route(routes.downloadTerminalFile, async ({ caller, params, request, reply }) => {
    const { serialNumber } = params;
    const { name: transferId, nodeId } = readNameAtNode(node, params.transferId);
    if (nodeId !== undefined) {
      const gone = new DomainError('file_transfer_not_found');
      await passCallOn(passedCalls, { request, reply }, nodeId, gone);
      return '';
    }
    const { sessionId } = caller.principal;
    const download = downloads.take(transferId, { sessionId, serialNumber });
    if (!download) throw new DomainError('file_transfer_not_found');
    const stream = await download.open().catch((error: unknown) => {
      if (error instanceof FileError) throw new DomainError('file_transfer_not_found');
      throw new DomainError('service_unavailable', 'file_unreadable');
    });
    void reply.headers({
      'content-type': 'application/octet-stream',
      'content-disposition': attachment(download.name),
      ...(download.size === undefined ? {} : { 'content-length': String(download.size) }),
    });
    // The contract describes a file as a text; it goes as it is read.
    return stream as unknown as string;
  });
}
