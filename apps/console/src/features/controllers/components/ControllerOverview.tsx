import type { Controller } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../shared/ui/Section.tsx';
import { ConnectPanel } from './ConnectPanel.tsx';
import classes from './controller-view.module.css';
import { Facts } from './Facts.tsx';

/** How to get to a controller, and what it is. */
export function ControllerOverview({ controller }: { controller: Controller }) {
  const { t } = useTranslation('controllers');
  return (
    <div className={classes.overview}>
      <Section title={t('connect.title')}>
        <ConnectPanel controller={controller} />
      </Section>
      <Section title={t('view.facts')}>
        <Facts controller={controller} />
      </Section>
    </div>
  );
}
