import { useTranslation } from 'react-i18next';
import classes from './controller-view.module.css';

/** That another device has proven to be the one of this serial number, and what is to be done. */
export function ContestedSerial() {
  const { t } = useTranslation('controllers');
  return (
    <p className={classes.contested} role="note">
      <strong>{t('contested.title')}</strong> {t('contested.text')}
    </p>
  );
}
