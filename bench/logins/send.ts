import { type Agent, request } from 'node:http';

/** One call; answers its status once the body is read. */
export function send(
  port: number,
  agent: Agent,
  call: { method: string; path: string; headers: Record<string, string>; body?: string },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const { method, path, headers, body } = call;
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent, timeout: 30_000 });
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in 30 s')));
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      response.resume();
      response.on('error', reject);
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    outgoing.end(body);
  });
}

export interface Credentials {
  username: string;
  password: string;
}

export function logIn(port: number, agent: Agent, user: Credentials | undefined): Promise<number> {
  const headers = { 'content-type': 'application/json', 'user-agent': 'bench/1' };
  const body = JSON.stringify(user);
  return send(port, agent, { method: 'POST', path: '/api/v1/auth/token/', headers, body });
}
