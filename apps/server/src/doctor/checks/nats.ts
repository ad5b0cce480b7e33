import { connect as connectPlain, type Socket } from 'node:net';
import { isOwnMachine, withoutBrackets } from '../../platform/network.ts';
import type { DoctorCheck } from '../doctor.ts';
import { describeError, type Finding, fail, ok, warn } from '../finding.ts';

/** More than a server says of itself before the first line ends. */
const mostBytes = 64 * 1024;

/** What the first line of a server of NATS says, which it sends before anybody has logged in. */
interface NatsInfo {
  version?: unknown;
  auth_required?: unknown;
}

/** Each server of NATS by which nodes hear each other; nothing where there is one node. */
export const nats: DoctorCheck = {
  name: 'nats',
  async run({ config: { nodes }, timeoutMs }) {
    if (!nodes) return [];
    const look = (url: string) => lookAtServer(new URL(url), { limitMs: timeoutMs / 4, nodes });
    return Promise.all(nodes.natsUrls.map(look));
  },
};

async function lookAtServer(
  { hostname, port }: URL,
  { limitMs, nodes }: { limitMs: number; nodes: { isNatsInsecure: boolean } },
): Promise<Finding> {
  const where = `${hostname}:${port || '4222'}`;
  try {
    const info = await readInfo({ host: withoutBrackets(hostname), port: Number(port || 4222) }, limitMs);
    if (info.auth_required !== true && !isOwnMachine(hostname) && !nodes.isNatsInsecure) {
      return warn(
        {
          en: `NATS at ${where} lets anybody in who reaches it`,
          ru: `NATS на ${where} пускает всех, кто до него дотянется`,
        },
        {
          en: 'Give it users or credentials, and NATS_URL or NATS_CREDS the login.',
          ru: 'Заведите в нём пользователей и укажите вход в NATS_URL или NATS_CREDS.',
        },
      );
    }
    const version = typeof info.version === 'string' ? ` ${info.version.slice(0, 32)}` : '';
    return ok({ en: `NATS${version} answers at ${where}`, ru: `NATS${version} отвечает на ${where}` });
  } catch (error) {
    return fail(
      {
        en: `NATS at ${where} does not answer: ${describeError(error)}`,
        ru: `NATS на ${where} не отвечает: ${describeError(error)}`,
      },
      {
        en: 'Look at NATS_URL and whether nats-server runs. Without it nodes serve only the devices that they hold.',
        ru: 'Посмотрите на NATS_URL и на то, запущен ли nats-server. Без него узлы обслуживают только свои устройства.',
      },
    );
  }
}

function readInfo(target: { host: string; port: number }, limitMs: number): Promise<NatsInfo> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connectPlain(target);
    let text = '';
    const end = (error: Error | undefined, info: NatsInfo = {}) => {
      socket.destroy();
      if (error) reject(error);
      else resolve(info);
    };
    socket.setTimeout(limitMs, () => end(new Error('it says nothing')));
    socket.on('error', (error) => end(error));
    socket.on('close', () => end(new Error('it hangs up')));
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      const at = text.indexOf('\r\n');
      if (at === -1 && text.length < mostBytes) return;
      const info = parseInfo(text.slice(0, at));
      end(info ? undefined : new Error('it is no NATS'), info);
    });
  });
}

/** Undefined where another server says something else. */
function parseInfo(line: string): NatsInfo | undefined {
  if (!line.startsWith('INFO {')) return undefined;
  try {
    return JSON.parse(line.slice('INFO '.length)) as NatsInfo; // each part is looked at before it is used
  } catch {
    return undefined;
  }
}
