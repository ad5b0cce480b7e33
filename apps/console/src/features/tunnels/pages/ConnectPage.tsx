import type { TunnelProtocol } from '@pult/contract';

interface Props {
  protocol: TunnelProtocol;
  serialNumber: string;
}

export function ConnectPage(_: Props) {
  return null;
}
