import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { environmentsQuery } from '../../shared/api/queries.ts';
import { loadPart } from '../../shared/page/load-part.ts';
import classes from './sign-in.module.css';

/** Only where the installation has a provider: the page of the login is small. */
const SignInButton = lazy(async () => ({
  default: (await loadPart(() => import('./SignInButton.tsx'))).SignInButton,
}));

/** The other way in, below the password: by the provider of the installation. */
export function SignInOffer({ returnTo }: { returnTo: string }) {
  const { t } = useTranslation('accounts');
  const { data: environments } = useQuery(environmentsQuery);
  const name = environments?.SIGN_IN_PROVIDER;
  if (!name) return null;
  return (
    <Suspense fallback={null}>
      <div className={classes.or}>{t('signIn.or')}</div>
      <SignInButton name={name} provider="installation" returnTo={returnTo} />
    </Suspense>
  );
}
