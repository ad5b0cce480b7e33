/** The few settings that a tool must know before the server reads and checks all of them. */

import { readFileSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
// Whole, as an old Node has no parseEnv in it: that one is to get as far as being told that it is too old.
import util from 'node:util';
import { root } from './processes.mjs';
import { PlainError } from './terminal.mjs';

/**
 * @typedef {{ port: number, host: string }} Listening where the server listens
 * @typedef {Listening & { scheme: string, publicUrl: string }} Addresses
 * @typedef {Addresses & { dataDir: string }} Settings
 */

/** @returns {Settings & { enrollmentKey: string | undefined }} */
export function readSettings() {
  const file = readEnvFile();
  const get = (/** @type {string} */ name) => process.env[name]?.trim() || file[name]?.trim() || undefined;
  const port = Number(get('PORT') ?? 8080);
  const scheme = get('TLS_CERT') ? 'https' : 'http';
  return {
    scheme,
    port,
    host: get('HOST') ?? '127.0.0.1',
    publicUrl: get('PUBLIC_URL') ?? `${scheme}://localhost:${port}`,
    dataDir: resolve(root, get('DATA_DIR') ?? 'data'),
    enrollmentKey: get('ENROLLMENT_KEY'),
  };
}

/** @returns {NodeJS.Dict<string>} */
function readEnvFile() {
  try {
    return util.parseEnv(readFileSync(join(root, '.env'), 'utf8'));
  } catch {
    return {};
  }
}

/**
 * Fails with what to do when the server could not listen. Anything else is left to the server to say.
 * @param {Listening} listening
 */
export async function requireFreePort({ host, port }, command = 'npm start') {
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    throw new PlainError('PORT must be a number from 1 to 65535.');
  }
  const code = await tryPort({ host, port });
  if (code === 'EADDRINUSE') {
    throw new PlainError(
      `Port ${port} is in use. Either Pult is running already, or another program has it.\nChoose another port: PORT=${port + 1} ${command}`,
    );
  }
  if (code === 'EACCES') {
    throw new PlainError(
      `Port ${port} needs more rights than this user has. Choose one above 1023: PORT=8080 ${command}`,
    );
  }
}

/**
 * Why nobody can listen there, as a code of the system; undefined when somebody can.
 * @param {Listening} listening
 * @returns {Promise<string | undefined>}
 */
export function tryPort({ host, port }) {
  return new Promise((done) => {
    const probe = createServer();
    probe.once('error', (/** @type {NodeJS.ErrnoException} */ error) => done(error.code));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => done(undefined)));
  });
}

/**
 * Whether the server on this machine says that it is ready.
 * @param {Addresses} addresses
 * @returns {Promise<boolean>}
 */
export function isReady({ scheme, host, port, publicUrl }) {
  const request = scheme === 'https' ? requestHttps : requestHttp;
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return new Promise((done) => {
    const options = {
      host: address,
      port,
      path: '/readyz',
      timeout: 2000,
      headers: URL.canParse(publicUrl) ? { host: new URL(publicUrl).host } : {},
      // Only asked for its health, on this machine, under an address its certificate need not cover.
      rejectUnauthorized: false,
    };
    const call = request(options, (response) => {
      response.resume();
      done(response.statusCode === 200);
    });
    call.once('timeout', () => call.destroy());
    call.once('error', () => done(false));
    call.end();
  });
}
