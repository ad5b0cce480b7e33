import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDocumentTitle } from '../../../shared/page/title.ts';
import { paths } from '../../../shared/paths.ts';
import { ExtraKeys } from '../components/ExtraKeys.tsx';
import { NewHostKey } from '../components/NewHostKey.tsx';
import { TerminalBar } from '../components/TerminalBar.tsx';
import { TerminalEnded } from '../components/TerminalEnded.tsx';
import { TerminalLogin } from '../components/TerminalLogin.tsx';
import { type TerminalHandle, TerminalScreen } from '../components/TerminalScreen.tsx';
import classes from '../components/terminal.module.css';
import { useVisibleHeight } from '../components/use-visible-height.ts';
import { withControl } from '../terminal/key-sequences.ts';
import { loadFontSize, saveFontSize } from '../terminal/terminal-preferences.ts';
import { useTerminalSession } from '../terminal/use-terminal-session.ts';
import { useSshAccess } from '../use-ssh-access.ts';

/** A shell on a controller in the whole window. */
export function TerminalPage({ serialNumber }: { serialNumber: string }) {
  const { t } = useTranslation('tunnels');
  useDocumentTitle(t('terminal.title', { serialNumber }));
  const theme = useComputedColorScheme('dark');
  const height = useVisibleHeight();
  const screen = useRef<TerminalHandle>(null);
  const [fontSize, setFontSize] = useState(loadFontSize);
  const [controlHeld, setControlHeld] = useState(false);

  const access = useSshAccess(serialNumber);
  const { state, ...session } = useTerminalSession({
    openTunnel: access.openTunnel,
    describeError: access.describeError,
    size: () => screen.current?.size() ?? { columns: 80, rows: 24 },
    onBytes: (bytes) => screen.current?.write(bytes),
  });
  const { phase } = state;
  useEffect(() => {
    // A new session must not inherit the last one's screen modes.
    if (phase === 'connecting') screen.current?.reset();
    if (phase === 'ready') screen.current?.focus();
  }, [phase]);

  const changeFontSize = (size: number) => {
    setFontSize(size);
    saveFontSize(size);
    screen.current?.focus();
  };
  const takeText = (text: string) => {
    if (!controlHeld) return text;
    setControlHeld(false);
    return withControl(text);
  };
  const isOpen = phase === 'ready' || phase === 'ended';

  return (
    <main className={classes.page} style={height === undefined ? undefined : { height }}>
      <TerminalBar
        serialNumber={serialNumber}
        description={access.controller?.description ?? ''}
        backTo={
          access.controller
            ? paths.controller(access.controller.organization.id, serialNumber)
            : paths.findController(serialNumber)
        }
        phase={phase}
        fontSize={fontSize}
        onFontSize={changeFontSize}
        onDisconnect={session.editLogin}
      />
      {phase === 'ready' && state.hostKeyIsNew && <NewHostKey fingerprint={state.hostKeyFingerprint} />}
      <div className={classes.body}>
        <TerminalScreen
          ref={screen}
          label={t('terminal.label', { serialNumber })}
          fontSize={fontSize}
          theme={theme}
          inert={!isOpen}
          onText={takeText}
          onBytes={session.sendBytes}
          onResize={session.resize}
        />
        {!isOpen && (
          <TerminalLogin
            serialNumber={serialNumber}
            state={state}
            blocked={access.blocked}
            onSubmit={(login) => void session.start(login)}
            onAnswer={session.answer}
            onCancel={session.editLogin}
          />
        )}
      </div>
      {phase === 'ended' && (
        <TerminalEnded end={state.end} onReconnect={session.reconnect} onEditLogin={session.editLogin} />
      )}
      {phase === 'ready' && (
        <ExtraKeys
          controlHeld={controlHeld}
          onControlToggle={() => setControlHeld(!controlHeld)}
          onPress={(key) => screen.current?.press(key)}
        />
      )}
    </main>
  );
}
