/** Texts of those who set a new password by a link, which who logs in does without. */
export const ru = {
  title: 'Восстановление пароля',
  text: 'Укажите почту своей учётной записи, и мы пришлём ссылку для смены пароля.',
  textNoMail:
    'Этот сервер не отправляет почту. Попросите администратора задать новый пароль или создайте ссылку здесь, и он её передаст.',
  submit: 'Прислать ссылку',
  make: 'Создать ссылку',
  setByAdministrator: 'Или сразу задаст новый пароль:',
  sentText: 'Если учётная запись {{email}} есть, на эту почту отправлена ссылка. Она действует час.',
  newTitle: 'Новый пароль',
  newText: 'После смены пароля нужно будет войти заново на всех устройствах.',
  newPassword: 'Новый пароль',
  save: 'Сменить пароль',
  done: 'Пароль изменён',
  doneDetails: 'Войдите с новым паролем',
  expiredTitle: 'Ссылка не действует',
  expiredText: 'Ссылка для смены пароля устарела или уже использована. Запросите новую.',
  requestAgain: 'Запросить новую',
} as const;

export const en = {
  title: 'Reset password',
  text: 'Enter the email of your account, and we will send a link to set a new password.',
  textNoMail:
    'This server sends no mail. Ask an administrator to set a new password, or make a link here for them to pass on.',
  submit: 'Send the link',
  make: 'Make a link',
  setByAdministrator: 'Or sets a new password at once:',
  sentText: 'If there is an account {{email}}, a link is on its way to it. It works for an hour.',
  newTitle: 'New password',
  newText: 'Afterwards you will have to log in again on every device.',
  newPassword: 'New password',
  save: 'Set the password',
  done: 'Password changed',
  doneDetails: 'Log in with the new one',
  expiredTitle: 'This link no longer works',
  expiredText: 'The link to set a new password has expired or was used already. Request a new one.',
  requestAgain: 'Request a new one',
} as const;
