import { once } from 'node:events';
import { connect } from 'node:net';
import { type Environments, routes } from '@pult/contract';
import { describeWirenBoardOff, type WirenBoardOff } from '@pult/contract/values';
import { listWirenBoardNames, type WirenBoardSettings } from '../../config/wiren-board-settings.ts';
import { withDeadline } from '../../platform/deadline.ts';
import { findStrays } from '../../platform/leading-names.ts';
import type { DoctorCheck } from '../doctor.ts';
import type { Examination } from '../examination.ts';
import { describeError, type Finding, ok, warn } from '../finding.ts';
import { findRoom } from './ports.ts';

/** Whether Wiren Board controllers are taken, and what is in the way. */
export const wirenBoard: DoctorCheck = {
  name: 'wiren-board',
  async run(examination) {
    const { agents, http } = examination.config;
    const { wirenBoard: settings, wirenBoardOff } = agents;
    if (!settings) return wirenBoardOff ? [sayOff(wirenBoardOff)] : [];
    const { tunnelPort } = settings;
    const isRunning = await examination.isRunning();
    // What the server itself says of its port and its certificate, nobody else knows.
    const off = isRunning ? await askServer(examination) : await findTaken(settings);
    if (off) return [sayOff(off)];
    // Also where somebody has asked for these controllers, which then fail one by one.
    const strays = await findStrays(listWirenBoardNames(settings), new URL(http.publicUrl).hostname).catch(
      () => [], // DNS does not answer, as the check of the address says
    );
    if (strays.length > 0) return [sayOff({ reason: 'names', names: strays, port: tunnelPort })];
    const { host, port } = settings.tunnelAddress;
    const names = listWirenBoardNames(settings).join(', ');
    return [
      ok({
        en: `Wiren Board controllers find the server by ${names}`,
        ru: `контроллеры Wiren Board находят сервер по именам ${names}`,
      }),
      ...(isRunning ? [await findTunnelPort({ host, port }, examination)] : []),
    ];
  },
};

function sayOff(off: WirenBoardOff): Finding {
  const { text, action, isWanted } = describeWirenBoardOff(off);
  return isWanted
    ? ok(text)
    : warn(text, {
        en: `${action.en} Where you have no Wiren Board controllers, WB_DEVICE_CA=off.`,
        ru: `${action.ru} Если контроллеров Wiren Board у вас нет, задайте WB_DEVICE_CA=off.`,
      });
}

async function askServer({ config, ask }: Examination): Promise<Environments['WIREN_BOARD_OFF']> {
  const { host, port, isSecure } = config.http;
  const url = new URL(`${isSecure ? 'https' : 'http'}://localhost:${port}${routes.getEnvironments.path}`);
  const connectTo = ['0.0.0.0', '::', '*'].includes(host) ? '127.0.0.1' : host;
  try {
    const { text } = await ask(url, { connectTo, isTrusting: true });
    return routes.getEnvironments.answer.parse(JSON.parse(text)).WIREN_BOARD_OFF;
  } catch {
    return null; // a server of another version, or one that is busy: the names are looked at from here
  }
}

/** A port that somebody has asked for is looked at with the others. */
async function findTaken({
  isAutomatic,
  tunnelProtocol,
  tunnelHost: host,
  tunnelPort: port,
}: WirenBoardSettings): Promise<WirenBoardOff | null> {
  if (!isAutomatic || tunnelProtocol === 'wss') return null;
  const { status } = await findRoom({ setting: 'WB_TUNNEL_PORT', host, port });
  return status === 'ok' ? null : { reason: 'port_taken', names: [], port };
}

/** From here: a firewall before this machine is seen at the controllers alone. */
async function findTunnelPort(
  { host, port }: WirenBoardSettings['tunnelAddress'],
  { signal, stepMs }: Examination,
): Promise<Finding> {
  const socket = connect({ host, port });
  const end = () => socket.destroy();
  signal.addEventListener('abort', end, { once: true });
  try {
    await withDeadline(once(socket, 'connect'), stepMs);
    return ok({ en: `${host}:${port} can be reached`, ru: `${host}:${port} доступен` });
  } catch (error) {
    return warn(
      {
        en: `${host}:${port}, where the tunnels of Wiren Board controllers go, cannot be reached from here: ${describeError(error)}`,
        ru: `${host}:${port}, куда идут туннели контроллеров Wiren Board, отсюда недоступен: ${describeError(error)}`,
      },
      {
        en: `Open port ${port} (TCP) in the firewall, publish it where the server runs in a container, and lead it to this machine. Some routers do not let machines behind them use the outer address; then try it from outside.`,
        ru: `Откройте порт ${port} (TCP) в межсетевом экране, опубликуйте его, если сервер в контейнере, и направьте на эту машину. Некоторые роутеры не пускают изнутри по внешнему адресу: тогда проверьте снаружи.`,
      },
    );
  } finally {
    end();
  }
}
