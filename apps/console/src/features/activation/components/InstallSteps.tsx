import { Anchor, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyText } from '../../../shared/ui/CopyText.tsx';
import { agentCommand } from '../../controllers/index.ts';
import classes from './add-controller.module.css';

/** How a device comes to show a token. */
export function InstallSteps() {
  const { t } = useTranslation('activation');
  return (
    <aside className={classes.install}>
      <Title order={2} size="h3">
        {t('install.title')}
      </Title>
      <ol className={classes.steps}>
        <li>
          {t('install.run')}
          <CopyText form="block" text={agentCommand()} />
        </li>
        <li>{t('install.link')}</li>
      </ol>
      <p>
        {t('install.file')}{' '}
        <Anchor href="/agent/pult-agent.mjs" download underline="always">
          pult-agent.mjs
        </Anchor>
      </p>
    </aside>
  );
}
