import { useComputedColorScheme } from '@mantine/core';
import { ApiError, type GuestAnswer, guestTerminalPath } from '@pult/contract';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client.ts';
import { readErrorMessages } from '../../../shared/api/error-messages.ts';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import classes from '../components/guest-terminal.module.css';
import { TerminalTab } from '../components/TerminalTab.tsx';
import { loadFontSize, loadScrollback } from '../terminal/terminal-preferences.ts';
import { socketAddress } from '../terminal/terminal-session.ts';

const nothing = () => undefined;

/** The one terminal that was shared with a guest, in the whole window. */
export function GuestTerminal(entered: Extract<GuestAnswer, { kind: 'terminal' }>) {
  const { guestId, serialNumber, description, organization, isReadOnly } = entered;
  const { expiresAt, linkExpiresAt } = entered;
  const { t } = useTranslation(['guests', 'shared']);
  const { formatDate } = useFormat();
  const theme = useComputedColorScheme('dark');
  const openTunnel = async () => (await api('openGuestTunnel', { body: { guestId } })).tunnelKey;
  const describeError = async (error: unknown) =>
    error instanceof ApiError
      ? (await readErrorMessages(error)).join(' ')
      : t('unreachable', { ns: 'shared' });
  const createSocket = useCallback(
    () => new WebSocket(socketAddress(window.location, `${guestTerminalPath}?guest=${guestId}`)),
    [guestId],
  );
  return (
    <div className={classes.window}>
      <header className={classes.bar}>
        <h1>{t('page.terminal', { serialNumber })}</h1>
        <span>
          {description && (
            <>
              <bdi>{description}</bdi> ·{' '}
            </>
          )}
          <bdi>{organization}</bdi>
        </span>
        {isReadOnly && <strong>{t('page.readOnly')}</strong>}
        <span>
          {t(expiresAt === linkExpiresAt ? 'page.until' : 'page.untilBoth', {
            date: formatDate(expiresAt),
            link: formatDate(linkExpiresAt),
          })}
        </span>
      </header>
      <TerminalTab
        ref={null}
        serialNumber={serialNumber}
        access={{
          controller: undefined,
          blocked: undefined,
          openTunnel,
          describeError,
          isGuest: true,
          isReadOnly,
          createSocket,
        }}
        isShown
        isSearching={false}
        onSearchClose={nothing}
        fontSize={loadFontSize()}
        scrollback={loadScrollback()}
        theme={theme}
        onStatus={nothing}
        isFilesOpen={false}
        onFilesClose={nothing}
      />
    </div>
  );
}
