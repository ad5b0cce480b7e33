import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { environmentsQuery } from '../../../shared/api/queries.ts';
import { useDocumentTitle } from '../../../shared/page/title.ts';
import { paths } from '../../../shared/paths.ts';
import { GuestNotice } from '../GuestNotice.tsx';
import { InvalidInvite } from './InvalidInvite.tsx';
import { InvitedSignup } from './InvitedSignup.tsx';
import { hasSignUpForm, type InviteCheck } from './invite.ts';
import { OpenSignup } from './OpenSignup.tsx';

interface Props {
  /** Of the link that led here, if one did. */
  invite: InviteCheck | undefined;
  email: string | undefined;
}

export function SignupPage({ invite, email }: Props) {
  const { t } = useTranslation(['signUp', 'accounts']);
  const { data: environments } = useQuery(environmentsQuery);
  useDocumentTitle(t('signup.title'));
  if (invite?.kind === 'valid') return <InvitedSignup invite={invite} />;
  if (invite?.kind === 'invalid') return <InvalidInvite />;
  if (environments && hasSignUpForm(invite, environments)) return <OpenSignup email={email} />;
  return (
    <GuestNotice
      title={t('signup.title')}
      action={{ to: paths.login(), label: t('login.back', { ns: 'accounts' }) }}
    >
      {t('signup.byInviteOnly')}
    </GuestNotice>
  );
}
