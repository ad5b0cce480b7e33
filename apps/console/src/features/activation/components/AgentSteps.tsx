import { Anchor } from '@mantine/core';
import { isAllowed } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { organizationsQuery } from '../../../shared/api/queries.ts';
import { paths } from '../../../shared/paths.ts';
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
      <ManyDevices />
      <p>
        {t('install.file')}{' '}
        <Anchor href="/agent/pult-agent.mjs" download inherit underline="always">
          pult-agent.mjs
        </Anchor>
      </p>
    </>
  );
}

/** Of more organizations the page would be a list of them. */
const mostLinks = 5;

/** Where keys are made by which devices add themselves, for those who may make them: nobody who has but a part. */
function ManyDevices() {
  const { t } = useTranslation('activation');
  const { data } = useQuery(organizationsQuery);
  const managed =
    data?.filter(({ userRole, isPartial }) => !isPartial && isAllowed(userRole, 'enrolment_keys.manage')) ??
    [];
  if (managed.length === 0) return null;
  return (
    <p>
      {t('install.many')}{' '}
      {managed.slice(0, mostLinks).map(({ id, name }, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <Anchor component={Link} to={paths.settings(id, 'enrolment-keys')} inherit underline="always">
            {managed.length === 1 ? t('install.manyLink') : name}
          </Anchor>
        </Fragment>
      ))}
    </p>
  );
}
