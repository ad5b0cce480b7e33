import { expect, test } from 'vitest';
import { paths } from './paths.ts';

test('spec 2: every address of the console', () => {
  const id = '01890000-0000-7000-8000-000000000000';
  expect([
    paths.root(),
    paths.addController(),
    paths.addController({ token: 'a b' }),
    paths.organizations(),
    paths.organizations({ token: 't', orgName: 'Завод № 1' }),
    paths.organization(id),
    paths.organization(id, { tab: 'members' }),
    paths.audit(id),
    paths.alerts(id),
    paths.monitoring(id),
    paths.openMonitoring(id),
    paths.controllers(id),
    paths.findController('a1-b2'),
    paths.controller(id, 'a1-b2'),
    paths.login(),
    paths.login({ redirect: '/organizations?x=1&y=2', email: 'a@b.c' }),
    paths.connect('ssh', 'a1'),
    paths.signup({ token: 't', email: 'a@b.c' }),
    paths.signupConfirm('a/b'),
    paths.invite({ token: 't' }),
    paths.passwordReset(),
    paths.passwordResetConfirm('u', 'a/b'),
    paths.passwordChange(),
    paths.security(),
  ]).toMatchInlineSnapshot(`
    [
      "/",
      "/controllers",
      "/controllers?token=a+b",
      "/organizations",
      "/organizations?token=t&orgName=%D0%97%D0%B0%D0%B2%D0%BE%D0%B4+%E2%84%96+1",
      "/organizations/01890000-0000-7000-8000-000000000000",
      "/organizations/01890000-0000-7000-8000-000000000000?tab=members",
      "/organizations/01890000-0000-7000-8000-000000000000/audit",
      "/organizations/01890000-0000-7000-8000-000000000000/alerts",
      "/organizations/01890000-0000-7000-8000-000000000000/monitoring",
      "/organizations/01890000-0000-7000-8000-000000000000/monitoring/open",
      "/organizations/01890000-0000-7000-8000-000000000000/controllers",
      "/controllers/A1-B2",
      "/organizations/01890000-0000-7000-8000-000000000000/controllers/A1-B2",
      "/login",
      "/login?redirect=%2Forganizations%3Fx%3D1%26y%3D2&email=a%40b.c",
      "/connect/ssh/A1/",
      "/signup?token=t&email=a%40b.c",
      "/signup/confirm/a%2Fb/",
      "/invite?token=t",
      "/password-reset/",
      "/password-reset/u/a%2Fb/",
      "/password-change",
      "/security",
    ]
  `);
});
