/** Texts of those who want an account, which who logs in does without. */
export const ru = {
  signup: {
    title: 'Регистрация',
    invitedTo: 'Вас приглашают в организацию «{{organization}}»',
    invitedText: 'Придумайте пароль, и вы сразу войдёте.',
    submit: 'Зарегистрироваться',
    created: 'Учётная запись создана',
    createdDetails: 'Теперь войдите с почтой и паролем',
    haveAccount: 'Уже есть учётная запись? Войти',
    byInviteOnly:
      'Учётная запись появляется по приглашению. Попросите администратора своей организации прислать его и откройте ссылку из письма.',
    invalidTitle: 'Приглашение не действует',
    invalidText: 'Оно устарело, отозвано или уже принято. Попросите прислать новое.',
    checkMail: 'Проверьте почту',
    checkMailText:
      'На {{email}} отправлена ссылка. Откройте её в течение суток, чтобы завершить регистрацию.',
    askAdministrator: 'Обратитесь к администратору',
    mailOff:
      'Почта на этом сервере не настроена, письмо не уйдёт. Администратор найдёт ссылку в списке писем:',
    noMail: 'Письма нет? Загляните в «Спам». Если нет и там, обратитесь к администратору.',
    anotherEmail: 'Указать другую почту',
  },
  signupConfirm: {
    title: 'Подтверждение почты',
    text: 'Остался один шаг. Введите пароль, который вы выбрали при регистрации: так мы убедимся, что почту подтверждаете именно вы.',
    submit: 'Подтвердить почту',
    done: 'Почта подтверждена',
    doneText: 'Учётная запись {{email}} готова к работе.',
    expiredTitle: 'Ссылка не действует',
    expiredText:
      'Она устарела или уже использована. Если вы её уже открывали, просто войдите, иначе зарегистрируйтесь ещё раз.',
    again: 'Зарегистрироваться ещё раз',
  },
} as const;

export const en = {
  signup: {
    title: 'Sign up',
    invitedTo: 'You are invited to the organization “{{organization}}”',
    invitedText: 'Choose a password, and you are in.',
    submit: 'Sign up',
    created: 'Account created',
    createdDetails: 'Now log in with your email and password',
    haveAccount: 'Have an account? Log in',
    byInviteOnly:
      'Accounts are made by invite. Ask an administrator of your organization for one and open the link in the mail.',
    invalidTitle: 'This invite no longer works',
    invalidText: 'It has expired, was revoked or already accepted. Ask for a new one.',
    checkMail: 'Check your mail',
    checkMailText: 'We sent a link to {{email}}. Open it within a day to finish signing up.',
    askAdministrator: 'Ask your administrator',
    mailOff:
      'Mail is not set up on this server, so no mail leaves. An administrator finds the link among the mails:',
    noMail: 'No mail? Look into the spam folder. If it is not there either, ask your administrator.',
    anotherEmail: 'Use another email',
  },
  signupConfirm: {
    title: 'Confirm your email',
    text: 'One step left. Enter the password you chose when you signed up: it shows that it is you who confirms.',
    submit: 'Confirm email',
    done: 'Email confirmed',
    doneText: 'The account {{email}} is ready.',
    expiredTitle: 'This link no longer works',
    expiredText:
      'It has expired or was used already. If you opened it before, just log in; otherwise sign up again.',
    again: 'Sign up again',
  },
} as const;
