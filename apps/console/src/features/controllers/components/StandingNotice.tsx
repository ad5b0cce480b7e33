import { useTranslation } from 'react-i18next';
import classes from './controller-view.module.css';

/** Another device has proven to be the one of the serial number, or the controller's own has left: what that means, and what is to be done. */
export function StandingNotice({ name }: { name: 'contested' | 'detached' }) {
  const { t } = useTranslation('controllers');
  return (
    <p className={classes.contested} role="note">
      <strong>{t(`standing.${name}.title`)}</strong> {t(`standing.${name}.text`)}
    </p>
  );
}
