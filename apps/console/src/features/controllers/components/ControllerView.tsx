import type { Controller } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../shared/ui/Section.tsx';
import { ConnectPanel } from './ConnectPanel.tsx';
import { CoordinatesForm } from './CoordinatesForm.tsx';
import classes from './controller-view.module.css';
import { DeleteController } from './DeleteController.tsx';
import { Facts } from './Facts.tsx';

interface Props {
  controller: Controller;
  isDeleting: boolean;
  onDelete: () => void;
}

export function ControllerView({ controller, isDeleting, onDelete }: Props) {
  const { t } = useTranslation('controllers');
  return (
    <div className={classes.view}>
      <div className={classes.connect}>
        <Section title={t('connect.title')}>
          <ConnectPanel controller={controller} />
        </Section>
      </div>
      <div className={classes.side}>
        <Section title={t('view.facts')}>
          <Facts controller={controller} />
        </Section>
      </div>
      <div className={classes.settings}>
        <Section title={t('view.settings')}>
          <CoordinatesForm key={`${controller.latitude} ${controller.longitude}`} controller={controller} />
          <hr className={classes.line} />
          <DeleteController controller={controller} isPending={isDeleting} onDelete={onDelete} />
        </Section>
      </div>
    </div>
  );
}
