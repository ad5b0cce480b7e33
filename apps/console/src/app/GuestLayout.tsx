import { Outlet } from '@tanstack/react-router';
import { readBrand } from '../shared/page/title.ts';
import { LanguageSwitch } from '../shared/preferences/LanguageSwitch.tsx';
import { ThemeSwitch } from '../shared/preferences/ThemeSwitch.tsx';
import { Logo } from '../shared/ui/Logo.tsx';
import classes from './guest-layout.module.css';
import { ConnectionBanner } from './shell/ConnectionBanner.tsx';
import { PageBanner } from './shell/PageBanner.tsx';

/** Around the pages that need no login: the brand, one column, language and theme. */
export function GuestLayout() {
  return (
    <div className={classes.layout}>
      <ConnectionBanner isStreaming={false} />
      <PageBanner />
      <main className={classes.main}>
        <div className={classes.brand}>
          <Logo size={28} />
          <span>{readBrand()}</span>
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
