// Ends with 0 where the server of this environment answers that it is ready: the health check of the container.
import http from 'node:http';
import https from 'node:https';

const { HOST = '0.0.0.0', PORT = '8080', TLS_CERT, ACME_EMAIL } = process.env;
const options = {
  host: HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST,
  port: PORT,
  path: '/readyz',
  timeout: 8_000,
  // It is asked for its name by nobody, and may not have a certificate yet.
  rejectUnauthorized: false,
};
const request = (TLS_CERT || ACME_EMAIL ? https : http).get(options, (answer) => {
  process.exit(answer.statusCode === 200 ? 0 : 1);
});
request.on('timeout', () => process.exit(1));
request.on('error', () => process.exit(1));
