// What a device has behind its line: a web server that answers GET /<bytes>, GET /small and a page, and swallows what is sent to it, and
// sshd. Says where they are, and over a socket in the file system how much it has swallowed.
//   device.ts <path of the socket>
import { randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSshServer } from '@pult/testkit';
import { servePage } from './page.ts';

const block = randomBytes(64 * 1024);
let swallowed = 0;

function pour(response: ServerResponse, bytes: number): void {
  let left = bytes;
  const write = () => {
    while (left > 0) {
      const piece = block.subarray(0, Math.min(left, block.length));
      left -= piece.length;
      if (!response.write(piece)) return void response.once('drain', write);
    }
    response.end();
  };
  write();
}

const web = createServer((request, response) => {
  request.on('data', (chunk: Buffer) => {
    swallowed += chunk.length;
  });
  const bytes = Number(request.url?.slice(1));
  if (request.method === 'POST') return void request.on('end', () => response.end('taken'));
  if (servePage(request, response)) return;
  if (!Number.isSafeInteger(bytes)) return void response.end('small answer');
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': bytes });
  pour(response, bytes);
});
// An upload over a poor line takes longer than the five minutes that Node.js allows one.
web.requestTimeout = 0;

const ssh = await startSshServer({ listenAddress: '0.0.0.0' });
createServer((_request, response) => response.end(String(swallowed))).listen(process.argv[2]);
web.listen(0, '0.0.0.0', () => {
  // A listening TCP server has an address object.
  const { port } = web.address() as AddressInfo;
  const { clientKey, hostKey, user, folder } = ssh;
  process.stdout.write(
    `device ${JSON.stringify({ web: port, ssh: { port: ssh.port, user, folder, clientKey, hostKey } })}\n`,
  );
});
