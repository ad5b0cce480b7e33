import { useTranslation } from 'react-i18next';
import { IconShieldCheck } from '../../../shared/icons/IconShieldCheck.ts';
import { IconShieldOff } from '../../../shared/icons/IconShieldOff.ts';
import classes from './members.module.css';

/** Whether a member has a second factor: by shape and word besides the colour. */
export function TotpLabel({ isOn }: { isOn: boolean }) {
  const { t } = useTranslation('organizations');
  const Icon = isOn ? IconShieldCheck : IconShieldOff;
  return (
    <span className={classes.totp} data-on={isOn}>
      <Icon size={16} stroke={1.75} aria-hidden />
      {isOn ? t('members.totpOn') : t('members.totpOff')}
    </span>
  );
}
