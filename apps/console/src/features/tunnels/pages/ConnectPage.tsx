import { Center, Loader } from '@mantine/core';
import type { PageProtocol } from '@pult/contract';
import { useSearch } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { loadPart } from '../../../shared/page/load-part.ts';
import { isOwnArrival } from '../../../shared/page/meta.ts';
import { AfterDelay } from '../../../shared/ui/AfterDelay.tsx';
import { HttpConnection } from '../components/HttpConnection.tsx';
import { LinkedPath } from '../components/LinkedPath.tsx';
import { deepLink, endpointPort } from '../use-http-tunnel.ts';

// xterm is large and only for those who open a terminal.
const TerminalPage = lazy(async () => {
  const module = await loadPart(() => import('./TerminalPage.tsx'));
  return { default: module.TerminalPage };
});

interface Props {
  protocol: PageProtocol;
  /** In capitals. */
  serialNumber: string;
}

export function ConnectPage({ protocol, serialNumber }: Props) {
  const Connection = connections[protocol];
  return <Connection serialNumber={serialNumber} />;
}

function WebConnection({ serialNumber }: { serialNumber: string }) {
  const { path, port }: { path?: string; port?: string } = useSearch({ strict: false });
  const place = { serialNumber, port: endpointPort(port) };
  const deep = deepLink(path);
  if (deep === undefined || deep === '/' || isOwnArrival()) return <HttpConnection {...place} path={deep} />;
  return <LinkedPath key={`${serialNumber} ${place.port} ${deep}`} {...place} path={deep} />;
}

function TerminalConnection({ serialNumber }: { serialNumber: string }) {
  return (
    <Suspense fallback={<TerminalLoading />}>
      <TerminalPage key={serialNumber} serialNumber={serialNumber} />
    </Suspense>
  );
}

function TerminalLoading() {
  const { t } = useTranslation('tunnels');
  return (
    <AfterDelay>
      <Center component="main" mih="100dvh" role="status" aria-label={t('terminal.loading')}>
        <Loader size="sm" />
      </Center>
    </AfterDelay>
  );
}

/** What opens a tunnel of each protocol. */
const connections: Readonly<Record<PageProtocol, ComponentType<{ serialNumber: string }>>> = {
  http: WebConnection,
  ssh: TerminalConnection,
};
