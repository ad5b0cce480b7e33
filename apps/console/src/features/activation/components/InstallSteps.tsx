import { Title } from '@mantine/core';
import { startCommand } from '@pult/contract/values';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyText } from '../../../shared/ui/CopyText.tsx';
import { PageTabs } from '../../../shared/ui/PageTabs.tsx';
import { isLoopback } from '../../controllers/index.ts';
import { lanAddressesQuery } from '../queries.ts';
import { AgentSteps } from './AgentSteps.tsx';
import classes from './add-controller.module.css';
import { SshSteps } from './SshSteps.tsx';
import { WirenBoardSteps } from './WirenBoardSteps.tsx';

/** Of a server that was told none. */
const usualPort = '8080';

/** How a device comes to show a token: a tab for each way in which it may be connected. */
export function InstallSteps() {
  const { t } = useTranslation('activation');
  const [kind, setKind] = useState<string>();
  const { protocol, hostname, port, origin } = window.location;
  const isLocal = isLoopback(hostname);
  const { data } = useQuery(lanAddressesQuery(isLocal));
  const address = data?.addresses[0];
  const reachable = address === undefined ? undefined : `${protocol}//${address}${port && `:${port}`}`;
  const ownPort = port === '' || port === usualPort ? '' : `PORT=${port} `;
  const deviceOrigin = reachable ?? origin;
  return (
    <aside className={classes.install}>
      <Title order={2} size="h3">
        {t('install.title')}
      </Title>
      {isLocal && (
        <div className={classes.local}>
          <strong className={classes.warning}>{t('install.local', { hostname })}</strong>{' '}
          {reachable === undefined ? t('install.restart') : t('install.restartAt', { address: reachable })}
          {reachable !== undefined && (
            <CopyText form="block" text={`${ownPort}HOST=0.0.0.0 PUBLIC_URL=${reachable} ${startCommand}`} />
          )}
        </div>
      )}
      <PageTabs
        label={t('install.ways')}
        current={kind}
        onOpen={setKind}
        tabs={[
          { name: 'agent', label: t('install.agent'), content: <AgentSteps origin={deviceOrigin} /> },
          { name: 'ssh', label: t('ssh.tab'), content: <SshSteps origin={deviceOrigin} /> },
          { name: 'wiren-board', label: t('wirenBoard.tab'), content: <WirenBoardSteps /> },
        ]}
      />
    </aside>
  );
}
