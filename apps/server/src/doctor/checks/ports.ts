import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { withDeadline } from '../../platform/deadline.ts';
import type { DoctorCheck } from '../doctor.ts';
import type { Examination } from '../examination.ts';
import { describeError, type Finding, fail, ok } from '../finding.ts';

interface Port {
  setting: string;
  host: string;
  port: number;
}

/** A server that runs answers on each of its ports; for one that does not they are to be had. */
export const ports: DoctorCheck = {
  name: 'ports',
  async run(examination) {
    const wanted = listPorts(examination);
    const isRunning = await examination.isRunning();
    const found = await Promise.all(
      wanted.map((port) => (isRunning ? findListener(port, examination) : findRoom(port))),
    );
    return [
      ok(
        isRunning
          ? { en: 'the server runs', ru: 'сервер работает' }
          : { en: 'the server does not run', ru: 'сервер не работает' },
      ),
      ...found,
    ];
  },
};

function listPorts({ config }: Examination): Port[] {
  const { http, ssh, prometheus, agents, tunnels } = config;
  const all: Port[] = [
    { setting: 'PORT', host: http.host, port: http.port },
    { setting: 'SSH_JUMP_PORT', host: ssh.jumpHost, port: ssh.isJumpOptional ? 0 : ssh.jumpPort },
    { setting: 'METRICS_PORT', host: '127.0.0.1', port: prometheus.port ?? 0 },
    // Where nobody has asked for it, it may be another's.
    ...(agents.wirenBoard?.isAutomatic === false
      ? [
          {
            setting: 'WB_TUNNEL_PORT',
            host: agents.wirenBoard.tunnelHost,
            port: agents.wirenBoard.tunnelPort,
          },
        ]
      : []),
    // Opened for who needs one: the first tells whether they may be.
    ...(tunnels.mode === 'ports' && tunnels.ports.from < 1024
      ? [{ setting: 'TUNNEL_PORTS', host: http.host, port: tunnels.ports.from }]
      : []),
  ];
  return all.filter(({ port }) => port !== 0);
}

const isEverywhere = (host: string) => ['0.0.0.0', '::', '*'].includes(host);

async function findListener(
  { setting, host, port }: Port,
  { signal, stepMs }: Examination,
): Promise<Finding> {
  const socket = connect({ host: isEverywhere(host) ? '127.0.0.1' : host, port });
  const end = () => socket.destroy();
  signal.addEventListener('abort', end, { once: true });
  try {
    await withDeadline(once(socket, 'connect'), stepMs);
    return ok({ en: `${setting} ${port} is listened on`, ru: `${setting} ${port} слушается` });
  } catch (error) {
    return fail(
      {
        en: `nobody listens on ${setting} ${port} (${describeError(error)})`,
        ru: `${setting} ${port} никто не слушает (${describeError(error)})`,
      },
      {
        en: 'The server was started with other settings, or could not have the port: look at the first lines of its log.',
        ru: 'Сервер запущен с другими настройками или не получил порт: посмотрите первые строки его журнала.',
      },
    );
  } finally {
    end();
  }
}

export async function findRoom({ setting, host, port }: Port): Promise<Finding> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return ok({ en: `${setting} ${port} is free`, ru: `${setting} ${port} свободен` });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // of the system
    if (code === 'EADDRINUSE') {
      return fail(
        {
          en: `${setting} ${port} is taken by another program`,
          ru: `${setting} ${port} занят другой программой`,
        },
        {
          en: `Find it (ss -ltnp 'sport = :${port}') and stop it, or set another ${setting}.`,
          ru: `Найдите её (ss -ltnp 'sport = :${port}') и остановите или задайте другой ${setting}.`,
        },
      );
    }
    if (code === 'EACCES') {
      return fail(
        {
          en: `${setting} ${port} may be opened by root only`,
          ru: `${setting} ${port} может открыть только root`,
        },
        {
          en: 'Start the server by systemd with AmbientCapabilities=CAP_NET_BIND_SERVICE, or take a port above 1023 and a proxy.',
          ru: 'Запускайте сервер через systemd с AmbientCapabilities=CAP_NET_BIND_SERVICE или возьмите порт выше 1023 и прокси.',
        },
      );
    }
    return fail(
      {
        en: `${setting} ${port} cannot be opened on ${host}: ${describeError(error)}`,
        ru: `${setting} ${port} нельзя открыть на ${host}: ${describeError(error)}`,
      },
      { en: 'Look at HOST.', ru: 'Посмотрите на HOST.' },
    );
  } finally {
    server.close();
  }
}
