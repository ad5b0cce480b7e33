import { Button, CloseButton, Group, Loader, Text } from '@mantine/core';
import type { ControllerStatus } from '@pult/contract';
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsReachable } from '../../../shared/api/connection.ts';
import { useCountdown } from '../../../shared/time/use-countdown.ts';
import { FilePanel } from '../files/FilePanel.tsx';
import { type HeldKey, holdKey } from '../terminal/key-sequences.ts';
import type { TerminalEnd } from '../terminal/terminal-state.ts';
import type { terminalThemes } from '../terminal/terminal-theme.ts';
import { useTerminalSession } from '../terminal/use-terminal-session.ts';
import type { TerminalAccess } from '../use-ssh-access.ts';
import { ExtraKeys } from './ExtraKeys.tsx';
import { TerminalLogin } from './TerminalLogin.tsx';
import { type Found, type TerminalHandle, TerminalScreen } from './TerminalScreen.tsx';
import { TerminalSearch } from './TerminalSearch.tsx';
import classes from './terminal.module.css';

export interface TabHandle {
  copy: () => void;
  disconnect: () => void;
}

/** What the page shows of a tab outside it. */
export interface TabStatus {
  phase: 'login' | 'ready' | 'lost' | 'ended';
  username: string;
  /** Of a running shell; names its login to the file panel. */
  resumeToken: string | undefined;
}

interface Props {
  ref: Ref<TabHandle>;
  serialNumber: string;
  access: TerminalAccess;
  isShown: boolean;
  isSearching: boolean;
  onSearchClose: () => void;
  fontSize: number;
  scrollback: number;
  theme: keyof typeof terminalThemes;
  onStatus: (status: TabStatus) => void;
  isFilesOpen: boolean;
  onFilesClose: () => void;
}

const nothingFound: Found = { count: 0, at: 0 };

/** One session: its login, its screen, its end. Stays mounted, with its shell, while another one is shown. */
export function TerminalTab({ ref, serialNumber, access, isShown, isSearching, ...props }: Props) {
  const { t } = useTranslation('tunnels');
  const screen = useRef<TerminalHandle>(null);
  const [held, setHeld] = useState<HeldKey>();
  const [found, setFound] = useState(nothingFound);
  // Once open it stays, hidden: a transfer goes on behind the terminal.
  const [wasFilesOpen, setFilesWereOpen] = useState(false);
  if (props.isFilesOpen && isShown && !wasFilesOpen) setFilesWereOpen(true);
  const [username, setUsername] = useState('');
  const { state, ...session } = useTerminalSession({
    openTunnel: access.openTunnel,
    createSocket: access.createSocket,
    describeError: access.describeError,
    size: () => screen.current?.size() ?? { columns: 80, rows: 24 },
    onBytes: (bytes, ack) => screen.current?.write(bytes, ack),
    onReturned: () => screen.current?.reset(),
  });
  const { phase } = state;
  const isOpen = phase === 'ready' || phase === 'ended';
  const lostUntil = phase === 'ready' ? state.lostUntil : undefined;
  const controllerLostUntil = phase === 'ready' ? state.controllerLostUntil : undefined;
  const isLost = lostUntil !== undefined || controllerLostUntil !== undefined;
  const resumeToken = phase === 'ready' ? state.resumeToken : undefined;

  const status = access.controller?.status;
  // It stays so when the controller is back: only then can the shell follow.
  const [awayEnd, setAwayEnd] = useState<TerminalEnd>();
  if (phase === 'ended' && state.end !== awayEnd && isOffline(state.end, status)) setAwayEnd(state.end);
  const isAway = phase === 'ended' && state.end === awayEnd;
  useComeBack(isAway && state.isReturning !== true && status === 'online', session.comeBack);

  useEffect(() => {
    // A new session must not inherit the last one's screen modes.
    if (phase === 'connecting') screen.current?.reset();
  }, [phase]);
  useEffect(() => {
    if (phase === 'ready' && isShown && !isLost) screen.current?.focus();
  }, [phase, isShown, isLost]);
  const { onStatus } = props;
  useEffect(() => {
    const shown = phase === 'ready' || phase === 'ended' ? phase : 'login';
    onStatus({ phase: isLost ? 'lost' : shown, username, resumeToken });
  }, [onStatus, phase, isLost, username, resumeToken]);

  const takeText = (text: string) => {
    if (held === undefined) return text;
    setHeld(undefined);
    return holdKey(held, text);
  };
  const closeSearch = () => {
    screen.current?.find('');
    setFound(nothingFound);
    props.onSearchClose();
    screen.current?.focus();
  };
  const disconnect = () => {
    setUsername('');
    session.editLogin();
  };
  useImperativeHandle(ref, () => ({ copy: () => screen.current?.copy(), disconnect }));

  return (
    <section className={classes.tabBody} hidden={!isShown} aria-label={t('terminal.label', { serialNumber })}>
      <div className={classes.body} data-lost={isLost || undefined}>
        <TerminalScreen
          ref={screen}
          label={t('terminal.label', { serialNumber })}
          fontSize={props.fontSize}
          scrollback={props.scrollback}
          theme={props.theme}
          inert={!isOpen}
          onText={takeText}
          onBytes={access.isReadOnly ? nothing : session.sendBytes}
          onResize={session.resize}
          onFound={setFound}
        />
        {isSearching && isOpen && (
          <TerminalSearch
            found={found}
            onFind={(text, options) => {
              if (text === '') setFound(nothingFound);
              screen.current?.find(text, options);
            }}
            onClose={closeSearch}
          />
        )}
        {!isOpen && (
          <TerminalLogin
            serialNumber={serialNumber}
            isGuest={access.isGuest ?? false}
            state={state}
            blocked={access.blocked}
            onSubmit={(login) => {
              setUsername(login.username);
              void session.start(login);
            }}
            onAcceptOld={session.acceptOld}
            onAnswer={session.answer}
            onCancel={disconnect}
          />
        )}
        {wasFilesOpen && phase === 'ready' && (
          <FilePanel
            serialNumber={serialNumber}
            resumeToken={resumeToken}
            isShown={props.isFilesOpen}
            isControllerLost={controllerLostUntil !== undefined}
            onClose={props.onFilesClose}
          />
        )}
      </div>
      {/* Below: above it would push the shell away as it opens. */}
      {phase === 'ready' && state.hostKeyIsNew && <NewHostKey fingerprint={state.hostKeyFingerprint} />}
      {phase === 'ended' && (
        <TerminalEnded
          end={state.end}
          isAway={isAway}
          onReconnect={session.reconnect}
          onEditLogin={disconnect}
        />
      )}
      {lostUntil !== undefined && (
        <TerminalLost text={t('end.lost')} until={lostUntil} onTryNow={session.tryNow} />
      )}
      {lostUntil === undefined && controllerLostUntil !== undefined && (
        <TerminalLost text={t('end.controllerLost')} until={controllerLostUntil} />
      )}
      {phase === 'ready' && !isLost && !access.isReadOnly && (
        <ExtraKeys
          held={held}
          onHold={setHeld}
          onPress={(key) => screen.current?.press(key)}
          onPaste={(text) => screen.current?.paste(text)}
        />
      )}
    </section>
  );
}

/** At the first login the host key is taken on trust: the user sees which one, and may compare. */
function NewHostKey({ fingerprint }: { fingerprint: string }) {
  const { t } = useTranslation('tunnels');
  const [isHidden, setHidden] = useState(false);
  if (isHidden) return null;
  return (
    <Group className={classes.notice ?? ''} justify="space-between" wrap="nowrap" gap="sm" role="status">
      <Text size="sm">
        {t('hostKey.newTitle')} <code className={classes.fingerprint}>{fingerprint}</code>
      </Text>
      <CloseButton size="sm" aria-label={t('hostKey.dismiss')} onClick={() => setHidden(true)} />
    </Group>
  );
}

/** Between tries while the controller seems to be there and its SSH server is not, in milliseconds. */
const tryInterval = 5_000;

/** Tries at once, and again and again, as long as it is wanted. */
function useComeBack(isWanted: boolean, comeBack: () => Promise<void>): void {
  useEffect(() => {
    if (!isWanted) return;
    void comeBack();
    const timer = setInterval(() => void comeBack(), tryInterval);
    return () => clearInterval(timer);
  }, [isWanted, comeBack]);
}

/** Whether the shell ended with the controller's connection: the server says so, or its status does. */
function isOffline(end: TerminalEnd, status: ControllerStatus | undefined): boolean {
  if (end.type !== 'failed') return false;
  return (
    end.code === 'controller_offline' ||
    (end.code === 'ssh_failed' && status !== undefined && status !== 'online')
  );
}

interface EndedProps {
  end: TerminalEnd;
  /** It comes back with its controller. */
  isAway: boolean;
  onReconnect: () => void;
  onEditLogin: () => void;
}

/** Below the last screen of a shell that is over: how it ended, and the way back. */
function TerminalEnded({ end, isAway, onReconnect, onEditLogin }: EndedProps) {
  const { t } = useTranslation('tunnels');
  // Of a controller nothing is known while the server is away.
  const isReachable = useIsReachable();
  const text = () => {
    if (isAway) return t(isReachable ? 'end.away' : 'end.serverAway');
    if (end.type === 'failed') return t(`failure.${end.code}`);
    if (end.type === 'refused') return end.detail;
    if (end.type === 'dropped') return t('end.dropped');
    if (end.signal !== null) return t('end.signal', { signal: end.signal });
    return end.exitCode === null ? t('end.exit') : t('end.exitCode', { code: end.exitCode });
  };
  return (
    <Group className={classes.ended ?? ''} justify="space-between" gap="sm" role="status">
      <Group gap="xs" wrap="nowrap">
        {isAway && <Loader size={14} aria-hidden />}
        <Text size="sm">{text()}</Text>
      </Group>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={onEditLogin}>
          {t('end.editLogin')}
        </Button>
        <Button size="xs" onClick={onReconnect} autoFocus>
          {t('end.reconnect')}
        </Button>
      </Group>
    </Group>
  );
}

const nothing = () => undefined;

interface LostProps {
  text: string;
  /** By Date.now. */
  until: number;
  /** Where the browser can do something about it. */
  onTryNow?: () => void;
}

/** Below a shell that waits on the server while its connection is sought again, or that of its controller. */
function TerminalLost({ text, until, onTryNow }: LostProps) {
  const { t } = useTranslation('tunnels');
  const [wait] = useState(() => Math.max(0, Math.round((until - Date.now()) / 1000)));
  const seconds = useCountdown(wait, until, nothing) ?? wait;
  return (
    <Group className={classes.ended ?? ''} justify="space-between" gap="sm">
      <Group gap="xs" wrap="nowrap">
        <Loader size={14} />
        <Text size="sm">
          <span role="status">{text}</span> <span>{t('end.waits', { seconds })}</span>
        </Text>
      </Group>
      {onTryNow && (
        <Button size="xs" onClick={onTryNow}>
          {t('end.tryNow')}
        </Button>
      )}
    </Group>
  );
}
