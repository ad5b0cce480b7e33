import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganizationEvents } from '../../../shared/events/use-organization-events.ts';
import { useDocumentTitle } from '../../../shared/page/title.ts';
import { useCountdown } from '../../../shared/time/use-countdown.ts';
import { controllerQuery } from '../../controllers/index.ts';
import { type EndpointPort, isNoSuchController, mayMendItself, useHttpTunnel } from '../use-http-tunnel.ts';
import { ConnectionCard } from './ConnectionCard.tsx';
import { ConnectionStatus } from './ConnectionStatus.tsx';
import { NoSuchController } from './NoSuchController.tsx';

const retrySeconds = 10;

interface Props {
  serialNumber: string;
  /** Of a named endpoint; undefined for the controller's own web interface. */
  port: EndpointPort | undefined;
  path: string | undefined;
}

/** Leads to a controller's web interface; while that cannot be, says why and tries again by itself. */
export function HttpConnection({ serialNumber, port, path }: Props) {
  const { t } = useTranslation('connect');
  useDocumentTitle(
    port === undefined ? t('title', { serialNumber }) : t('endpointTitle', { serialNumber, port }),
  );
  const { state, attempt, isTrying, tryNow } = useHttpTunnel(serialNumber, port, path);
  const { phase } = state;

  useEffect(() => {
    // The page only passes on: there is no way back to it.
    if (state.phase === 'opened') window.location.replace(state.url);
  }, [state]);

  const retries = phase === 'offline' || (phase === 'failed' && mayMendItself(state.error));
  const left = useCountdown(retrySeconds, retries && !isTrying ? attempt : undefined, tryNow);
  useOnlineEvent(serialNumber, retries, tryNow);

  if (phase === 'failed' && isNoSuchController(state.error))
    return <NoSuchController serialNumber={serialNumber} />;
  return (
    <ConnectionCard serialNumber={serialNumber} isBusy={phase === 'opening' || phase === 'opened'}>
      <ConnectionStatus
        serialNumber={serialNumber}
        state={state}
        secondsLeft={left}
        retrySeconds={retrySeconds}
        retries={retries}
        isTrying={isTrying}
        onTry={tryNow}
      />
    </ConnectionCard>
  );
}

/**
 * Calls back when the cache learns, by the event stream or by anything else, that the controller has come online
 * while one waits for it.
 */
function useOnlineEvent(serialNumber: string, isWaiting: boolean, onOnline: () => void): void {
  const { data } = useQuery({ ...controllerQuery(serialNumber), enabled: false });
  useOrganizationEvents(data?.organization.id); // this page has no shell around it
  const isOnline = data?.status === 'online';
  const wasOnline = useRef(isOnline);
  useEffect(() => {
    if (isWaiting && isOnline && !wasOnline.current) onOnline();
    wasOnline.current = isOnline;
  }, [isOnline, isWaiting, onOnline]);
}
