import { Alert, Stack, Text, Title } from '@mantine/core';
import type { TerminalFailure as Failure } from '@pult/contract';
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import { useTranslation } from 'react-i18next';
import type { TerminalEnd, TerminalState } from '../terminal/terminal-state.ts';
import type { TerminalLogin as Login } from '../terminal/use-terminal-session.ts';
import { HostKeyChanged } from './HostKeyChanged.tsx';
import { OldAlgorithms } from './OldAlgorithms.tsx';
import { PromptForm } from './PromptForm.tsx';
import { SshLoginForm } from './SshLoginForm.tsx';
import classes from './terminal.module.css';

interface Props {
  serialNumber: string;
  isGuest: boolean;
  state: TerminalState;
  blocked: string | undefined;
  onSubmit: (login: Login) => void;
  /** The same login once more, by these too. */
  onAcceptOld: (algorithms: string[]) => void;
  onAnswer: (answers: string[]) => void;
  onCancel: () => void;
}

/**
 * What stands before the shell. The form stays mounted while connecting, so that a refused login keeps what was
 * typed; it is gone once the shell is open, and the password with it.
 */
export function TerminalLogin({
  serialNumber,
  isGuest,
  state,
  blocked,
  onSubmit,
  onAcceptOld,
  onAnswer,
  onCancel,
}: Props) {
  const { t } = useTranslation('tunnels');
  const prompting = state.phase === 'prompt';
  if (state.phase === 'form' && state.end?.type === 'failed' && state.end.code === 'host_key_changed') {
    const { pinnedFingerprint, presentedFingerprint } = state.end;
    return (
      <div className={classes.overlay}>
        <div className={classes.card}>
          <HostKeyChanged
            serialNumber={serialNumber}
            isGuest={isGuest}
            pinned={pinnedFingerprint}
            presented={presentedFingerprint}
            onRetry={onCancel}
          />
        </div>
      </div>
    );
  }
  return (
    <div className={classes.overlay}>
      <div className={classes.card}>
        {prompting && <PromptForm prompt={state.prompt} onAnswer={onAnswer} onCancel={onCancel} />}
        <Stack gap="md" display={prompting ? 'none' : undefined}>
          <Title order={2} size="h4">
            {t('terminal.loginTitle')}
          </Title>
          <SshLoginForm
            serialNumber={serialNumber}
            busy={state.phase === 'connecting'}
            failure={
              state.phase === 'form' &&
              state.end && <TerminalFailure end={state.end} onAcceptOld={isGuest ? undefined : onAcceptOld} />
            }
            blocked={blocked}
            onSubmit={onSubmit}
          />
          <Text size="xs" c="dimmed">
            {t('form.notStored')}
          </Text>
        </Stack>
      </div>
    </div>
  );
}

/** Those whose cause the server knows better than a general text. */
const withDetail: readonly Failure[] = ['ssh_failed', 'service_refused', 'invalid_request'];

/** Why a login came to nothing, above the form. */
function TerminalFailure({
  end,
  onAcceptOld,
}: {
  end: TerminalEnd;
  onAcceptOld: ((algorithms: string[]) => void) | undefined;
}) {
  const { t } = useTranslation('tunnels');
  if (end.type === 'failed' && end.code === 'ssh_old_algorithms') {
    const { algorithms = [], detail } = end;
    const accept = onAcceptOld && (() => onAcceptOld(algorithms));
    return <OldAlgorithms algorithms={algorithms} detail={detail} onAccept={accept} />;
  }
  const text =
    end.type === 'failed'
      ? t(`failure.${end.code}`)
      : end.type === 'refused'
        ? end.detail
        : t(`end.${end.type}`);
  const detail = end.type === 'failed' && withDetail.includes(end.code) ? end.detail : '';
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle />} role="alert">
      <Text size="sm">{text}</Text>
      {detail && (
        <Text size="xs" c="dimmed" mt={4} style={{ overflowWrap: 'anywhere' }}>
          {detail}
        </Text>
      )}
    </Alert>
  );
}
