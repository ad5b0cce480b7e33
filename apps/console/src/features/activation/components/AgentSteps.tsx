import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyText } from '../../../shared/ui/CopyText.tsx';
import { agentCommand } from '../../controllers/index.ts';
import classes from './add-controller.module.css';

/** How the agent comes to show a token. */
export function AgentSteps({ origin }: { origin: string }) {
  const { t } = useTranslation('activation');
  return (
    <>
      <p>{t('install.gives')}</p>
      <ol className={classes.steps}>
        <li>
          {t('install.run')}
          <CopyText form="block" text={agentCommand(origin)} />
        </li>
        <li>{t('install.link')}</li>
      </ol>
      <p>
        {t('install.file')}{' '}
        <Anchor href="/agent/pult-agent.mjs" download inherit underline="always">
          pult-agent.mjs
        </Anchor>
      </p>
    </>
  );
}
