import { formatError } from '@pult/contract';
import { consoleTexts, fill, type Language } from './console-texts.ts';

/** What the console says about people in one language, by what a test does with it. */
function readWords(language: Language) {
  const {
    app: shell,
    shared,
    accounts,
    passwordReset,
    signUp,
    security,
    organizations,
    organizationSettings,
    grants,
  } = consoleTexts[language];
  const { invites, members, leave } = organizations;
  return {
    createOrganization: organizations.create,
    name: shared.name,
    create: organizations.submit,
    email: accounts.login.email,
    invitee: grants.form.person,
    role: grants.role,
    roles: shared.role,
    invite: grants.give,
    inviteDialog: grants.giveTitle,
    inviteLink: invites.linkTitle,
    done: invites.done,
    invitedTo: (organization: string) => fill(signUp.signup.invitedTo, { organization }),
    password: accounts.login.password,
    newPassword: passwordReset.newPassword,
    signUp: signUp.signup.submit,
    turnOn: security.setUp.submit,
    turnOnTitle: security.setUp.title,
    appCode: security.setUp.codeLabel,
    recoveryCodes: security.codes.title,
    download: security.codes.download,
    saved: security.codes.saved,
    isOn: security.totp.on,
    account: { en: /^Account/, ru: /^Учётная запись/ }[language],
    security: shell.account,
    logOut: shell.logout,
    logIn: accounts.login.submit,
    confirmLogin: accounts.code.loginTitle,
    useRecoveryCode: accounts.code.useRecovery,
    recoveryCode: accounts.code.recoveryLabel,
    forgot: accounts.login.forgotPassword,
    sendLink: passwordReset.make,
    askAdministrator: signUp.signup.askAdministrator,
    setPassword: passwordReset.save,
    changeRole: (email: string, role: string) => fill(members.changeRole, { email, role }),
    roleChanged: members.roleChanged,
    require: organizationSettings.require,
    requireConfirm: organizationSettings.requireConfirm,
    confirmAction: security.confirmation.title,
    code: accounts.code.label,
    confirm: security.confirmation.submit,
    required: organizationSettings.requiredOn,
    // A banner ends without a full stop.
    requiresBanner: (organization: string) =>
      formatError('totp_setup_required', language, { organization }).replace(/\.$/, ''),
    actions: (name: string) => fill(organizations.cardActions, { name }),
    leave: leave.button,
    leaveConfirm: leave.confirm,
    left: leave.done,
    remove: (email: string) => fill(members.remove, { email }),
    removeTitle: (email: string) => fill(members.removeTitle, { email }),
    removeConfirm: members.removeConfirm,
    removed: members.removed,
    gone: shell.organizationDoesNotExist,
    noOrganizations: organizations.empty,
  };
}

export const peopleWords = { en: readWords('en'), ru: readWords('ru') };
