import type { Controller } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { fields } from '../fields.tsx';
import classes from './controller-view.module.css';

/** The details of a controller. What the device reports is plain text, set apart from ours. */
export function ControllerDetails({ controller }: { controller: Controller }) {
  const { t } = useTranslation('controllers');
  return (
    <dl className={classes.details}>
      {fields.map((field) => {
        if (!('Detail' in field)) return null;
        return (
          <div key={field.name}>
            <dt>{t(field.label)}</dt>
            <dd>
              <field.Detail controller={controller} />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
