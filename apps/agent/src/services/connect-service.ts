import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { deviceTls, getServicePort, readTlsFailure, ServiceError, type ServiceName } from '@pult/link';
import type { Endpoint } from '../config/endpoint.ts';

interface ServiceOptions {
  http: Endpoint;
  ssh: Endpoint;
  /** Names the cloud may connect to; undefined allows all. */
  allow: ReadonlySet<ServiceName> | undefined;
  /** 10 s unless told. */
  connectTimeoutMs?: number | undefined;
}

/**
 * Connects the local service of that name. Rejects with `ServiceError`: `service_not_allowed`,
 * `service_refused`, `service_tls_old`, `service_tls_failed` or `service_timeout`, the reason being the system's words.
 */
export function connectService(
  name: ServiceName,
  { http, ssh, allow, connectTimeoutMs = 10_000 }: ServiceOptions,
  signal: AbortSignal,
): Promise<Socket> {
  if (allow && !allow.has(name)) {
    return Promise.reject(new ServiceError('service_not_allowed', `the agent does not allow ${name}`));
  }
  const endpoint = name === 'http' ? http : name === 'ssh' ? ssh : getPortEndpoint(name);
  return new Promise((resolve, reject) => {
    const socket = openSocket(endpoint);
    let isTaken = false;
    const fail = (error: ServiceError) => {
      settle();
      socket.destroy();
      reject(error);
    };
    const onError = (error: Error) => {
      const { reason, isTooOld } = readTlsFailure(error);
      const tlsCode = isTooOld ? 'service_tls_old' : 'service_tls_failed';
      // Once it took the connection it is TLS that failed.
      fail(new ServiceError(isTaken ? tlsCode : 'service_refused', reason));
    };
    const onTaken = () => {
      isTaken = true;
    };
    const onAbort = () => fail(new ServiceError('service_timeout', 'the cloud gave up'));
    const onConnect = () => {
      settle();
      socket.setNoDelay(true);
      resolve(socket);
    };
    const timer = setTimeout(() => {
      const where = `${endpoint.host}:${endpoint.port}`;
      fail(
        new ServiceError('service_timeout', `${where} did not answer within ${connectTimeoutMs / 1000} s`),
      );
    }, connectTimeoutMs);
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      socket.off('error', onError);
      socket.off('connect', onTaken);
      // A late error of a socket nobody holds any more must not end the process.
      socket.on('error', () => {});
    };
    socket.once('error', onError);
    if (endpoint.isTls) socket.once('connect', onTaken);
    socket.once(endpoint.isTls ? 'secureConnect' : 'connect', onConnect);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

function openSocket({ host, port, isTls }: Endpoint): Socket {
  // Both directions end on their own, as they do on the link.
  const target = { host, port, allowHalfOpen: true };
  return isTls ? connectTls({ ...target, ...deviceTls }) : connectTcp(target);
}

function getPortEndpoint(name: ServiceName): Endpoint {
  return { host: '127.0.0.1', port: getServicePort(name) ?? 0, isTls: false };
}
