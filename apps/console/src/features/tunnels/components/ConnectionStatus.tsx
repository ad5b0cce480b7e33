import { Button, Group, Loader, Progress, Text } from '@mantine/core';
import { ApiError, type Controller } from '@pult/contract';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useErrorMessage } from '../../../shared/api/error-messages.ts';
import { paths } from '../../../shared/paths.ts';
import { LastSeen, StatusLabel } from '../../controllers/index.ts';
import type { HttpTunnelState } from '../use-http-tunnel.ts';
import classes from './connection.module.css';

interface Props {
  serialNumber: string;
  state: HttpTunnelState;
  /** Until the next try; undefined while there is none to wait for. */
  secondsLeft: number | undefined;
  retrySeconds: number;
  retries: boolean;
  isTrying: boolean;
  onTry: () => void;
}

export function ConnectionStatus({
  serialNumber,
  state,
  secondsLeft,
  retrySeconds,
  retries,
  isTrying,
  onTry,
}: Props) {
  const { t } = useTranslation('connect');
  if (state.phase === 'opening' || state.phase === 'opened') return <Opening />;
  return (
    <>
      <div role="status">
        {state.phase === 'offline' && <Offline controller={state.controller} />}
        {state.phase === 'forbidden' && <Text size="sm">{t('notAllowed')}</Text>}
        {state.phase === 'failed' && <Failure error={state.error} />}
      </div>
      {retries && (
        <div>
          <Progress
            value={isTrying ? 100 : 100 - ((secondsLeft ?? retrySeconds) / retrySeconds) * 100}
            size={3}
            transitionDuration={100}
            aria-hidden
          />
          <Text size="xs" c="dimmed" mt={6} className="tabular">
            {isTrying || secondsLeft === undefined ? t('trying') : t('nextTry', { seconds: secondsLeft })}
          </Text>
        </div>
      )}
      <Group gap="xs" className={classes.actions}>
        {state.phase !== 'forbidden' && (
          <Button onClick={onTry} loading={isTrying && !retries}>
            {t('tryNow')}
          </Button>
        )}
        <Button variant="default" component={Link} to={backTo(state, serialNumber)}>
          {t('toController')}
        </Button>
      </Group>
    </>
  );
}

function Opening() {
  const { t } = useTranslation('connect');
  return (
    <Group gap="sm" role="status">
      <Loader size="xs" />
      <Text size="sm">{t('opening')}</Text>
    </Group>
  );
}

function backTo(state: HttpTunnelState, serialNumber: string): string {
  return 'controller' in state
    ? paths.controller(state.controller.organization.id, serialNumber)
    : paths.findController(serialNumber);
}

function Offline({ controller }: { controller: Controller }) {
  const { t } = useTranslation('connect');
  return (
    <div className={classes.text}>
      <Text fw={600} component="div">
        <StatusLabel status={controller.status} isDetached={controller.detachedAt !== null} />
      </Text>
      <Text size="sm" c="dimmed">
        {controller.lastSeenAt === null ? (
          t('neverSeen')
        ) : (
          <>
            {t('lastSeen')} <LastSeen controller={controller} />
          </>
        )}
      </Text>
      {controller.detachedAt === null && <Text size="sm">{t('opensItself')}</Text>}
    </div>
  );
}

function Failure({ error }: { error: unknown }) {
  const { t } = useTranslation('connect');
  const message = useErrorMessage(error);
  const code = error instanceof ApiError ? error.code : undefined;
  const title =
    code === 'tunnel_host_unavailable'
      ? t('hostUnavailable')
      : t(code === 'protocol_unsupported' ? 'noEndpoint' : 'failed');
  return (
    <div className={classes.text}>
      <Text fw={600}>{title}</Text>
      <Text size="sm" c="dimmed">
        {message}
      </Text>
    </div>
  );
}
