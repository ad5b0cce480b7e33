import { Anchor, Title } from '@mantine/core';
import { startCommand } from '@pult/contract/values';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { CopyText } from '../../../shared/ui/CopyText.tsx';
import { agentCommand, isLoopback } from '../../controllers/index.ts';
import { lanAddressesQuery } from '../queries.ts';
import classes from './add-controller.module.css';

/** Of a server that was told none. */
const usualPort = '8080';

/** How a device comes to show a token. */
export function InstallSteps() {
  const { t } = useTranslation('activation');
  const { protocol, hostname, port, origin } = window.location;
  const isLocal = isLoopback(hostname);
  const { data } = useQuery(lanAddressesQuery(isLocal));
  const address = data?.addresses[0];
  const reachable = address === undefined ? undefined : `${protocol}//${address}${port && `:${port}`}`;
  const ownPort = port === '' || port === usualPort ? '' : `PORT=${port} `;
  return (
    <aside className={classes.install}>
      <Title order={2} size="h3">
        {t('install.title')}
      </Title>
      <ol className={classes.steps}>
        {isLocal && (
          <li>
            <strong className={classes.warning}>{t('install.local', { hostname })}</strong>{' '}
            {reachable === undefined ? t('install.restart') : t('install.restartAt', { address: reachable })}
            {reachable !== undefined && (
              <CopyText
                form="block"
                text={`${ownPort}HOST=0.0.0.0 PUBLIC_URL=${reachable} ${startCommand}`}
              />
            )}
          </li>
        )}
        <li>
          {t('install.run')}
          <CopyText form="block" text={agentCommand(reachable ?? origin)} />
        </li>
        <li>{t('install.link')}</li>
      </ol>
      <p>
        {t('install.file')}{' '}
        <Anchor href="/agent/pult-agent.mjs" download inherit underline="always">
          pult-agent.mjs
        </Anchor>
      </p>
    </aside>
  );
}
