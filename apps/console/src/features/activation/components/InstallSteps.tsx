import { Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PageTabs } from '../../../shared/ui/PageTabs.tsx';
import { LocalAddress, useDeviceOrigin } from '../../controllers/index.ts';
import { AgentSteps } from './AgentSteps.tsx';
import classes from './add-controller.module.css';
import { SshSteps } from './SshSteps.tsx';
import { WirenBoardSteps } from './WirenBoardSteps.tsx';

/** How a device comes to show a token: a tab for each way in which it may be connected. */
export function InstallSteps() {
  const { t } = useTranslation('activation');
  const [kind, setKind] = useState<string>();
  const { origin } = useDeviceOrigin();
  return (
    <aside className={classes.install}>
      <Title order={2} size="h3" mb="sm">
        {t('install.title')}
      </Title>
      <LocalAddress />
      <PageTabs
        label={t('install.ways')}
        current={kind}
        onOpen={setKind}
        tabs={[
          { name: 'wiren-board', label: t('wirenBoard.tab'), content: <WirenBoardSteps origin={origin} /> },
          { name: 'agent', label: t('install.agent'), content: <AgentSteps origin={origin} /> },
          { name: 'ssh', label: t('ssh.tab'), content: <SshSteps origin={origin} /> },
        ]}
      />
    </aside>
  );
}
