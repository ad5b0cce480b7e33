import { Link, Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { readBrand } from '../shared/page/title.ts';
import { paths } from '../shared/paths.ts';
import { LanguageSwitch } from '../shared/preferences/LanguageSwitch.tsx';
import { ThemeSwitch } from '../shared/preferences/ThemeSwitch.tsx';
import { Logo } from '../shared/ui/Logo.tsx';
import classes from './guest-layout.module.css';
import { ConnectionBanner } from './shell/ConnectionBanner.tsx';
import { PageBanner } from './shell/PageBanner.tsx';

/** Around the pages that need no login: the brand and what it is, one column, language and theme. */
export function GuestLayout() {
  const { t } = useTranslation('app');
  return (
    <div className={classes.layout}>
      <ConnectionBanner isStreaming={false} />
      <PageBanner />
      <main className={classes.main}>
        <div className={classes.head}>
          <Link to={paths.root()} className={classes.brand}>
            <Logo size={28} />
            <span>{readBrand()}</span>
          </Link>
          <p className={classes.purpose}>{t('purpose')}</p>
        </div>
        <div className={classes.card}>
          <Outlet />
        </div>
      </main>
      <footer className={classes.footer}>
        <LanguageSwitch />
        <ThemeSwitch />
      </footer>
    </div>
  );
}
