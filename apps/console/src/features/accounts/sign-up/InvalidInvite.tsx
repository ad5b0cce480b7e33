import { useTranslation } from 'react-i18next';
import { paths } from '../../../shared/paths.ts';
import { GuestNotice } from '../GuestNotice.tsx';

export function InvalidInvite() {
  const { t } = useTranslation(['signUp', 'accounts']);
  return (
    <GuestNotice
      title={t('signup.invalidTitle')}
      action={{ to: paths.login(), label: t('login.back', { ns: 'accounts' }) }}
    >
      {t('signup.invalidText')}
    </GuestNotice>
  );
}
