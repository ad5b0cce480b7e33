import { Alert, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconAlertTriangle } from '../../../shared/icons/IconAlertTriangle.ts';
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

/** Why a login came to nothing, above the form: in the language of the page, and what the device or its SSH says of it. */
function TerminalFailure({
  end,
  onAcceptOld,
}: {
  end: TerminalEnd;
  onAcceptOld: ((algorithms: string[]) => void) | undefined;
}) {
  const { t } = useTranslation('tunnels');
  if (end.type === 'failed' && end.code === 'ssh_old_algorithms') {
    const { algorithms = [], reason = end.detail } = end;
    const accept = onAcceptOld && (() => onAcceptOld(algorithms));
    return <OldAlgorithms algorithms={algorithms} detail={reason} onAccept={accept} />;
  }
  const text = () => {
    if (end.type === 'refused') return end.detail;
    if (end.type !== 'failed') return t(`end.${end.type}`);
    return t(`failure.${end.isNotForwarded ? 'not_forwarded' : end.code}`);
  };
  const { code, reason } = end.type === 'failed' ? end : {};
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle />} role="alert">
      <Text size="sm">{text()}</Text>
      {reason && (
        <Text size="xs" c="dimmed" mt={4} style={{ overflowWrap: 'anywhere' }}>
          {code === 'service_refused' ? t('failure.deviceSays', { reason }) : reason}
        </Text>
      )}
    </Alert>
  );
}
