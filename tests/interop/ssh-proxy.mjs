// ProxyCommand for stock OpenSSH clients: opens an ssh tunnel and joins its bytes to stdin and stdout.
//   PULT_ACCESS=<access token> ssh -o ProxyCommand='node ssh-proxy.mjs <server url> <serial number>' root@device
import { createWebSocketStream, WebSocket } from 'ws';

const [serverUrl, serialNumber] = process.argv.slice(2);
const headers = { authorization: `Bearer ${process.env.PULT_ACCESS}`, 'accept-language': 'en' };

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

const opened = await fetch(`${serverUrl}/api/v1/controllers/${serialNumber}/tcp-tunnels/ssh/`, {
  method: 'POST',
  headers,
});
const answer = await opened.json();
if (!opened.ok) fail(answer.detail ?? JSON.stringify(answer));

const socket = new WebSocket(`${serverUrl.replace(/^http/, 'ws')}/api/v1/ssh-stream/`, {
  headers: { ...headers, 'pult-tunnel-key': answer.tunnelKey },
});
socket.on('close', (code, reason) => {
  if (code !== 1000 && code !== 1005) fail(`tunnel closed: ${code} ${reason}`);
});
const stream = createWebSocketStream(socket);
stream.on('error', (error) => fail(error.message));
process.stdin.pipe(stream).pipe(process.stdout);
