/** Texts of the page where the code of a program that logs in is typed. */
export const ru = {
  title: 'Вход программы',
  text: 'Команда pult login на вашем компьютере показывает код. Введите его здесь.',
  warning: 'Не вводите код, который вам прислали или продиктовали',
  warningText:
    'Кто начал вход с этим кодом, тот получит доступ от вашего имени. Ни поддержка, ни администратор кодов не рассылают.',
  codeTitle: 'Код из программы',
  code: 'Код',
  codeHint: 'Восемь букв из окна, где вы сами запустили pult login',
  codeRequired: 'Введите код',
  next: 'Дальше',
  asks: 'Кто просит доступ',
  hostName: 'Компьютер, по словам программы',
  noHostName: 'не назван',
  address: 'Адрес программы',
  ownAddress: 'Ваш адрес',
  createdAt: 'Начат',
  otherNetwork: 'Программа запущена не там, где вы',
  otherNetworkText:
    'Её адрес {{address}} не совпадает с вашим. Если вы не запускали pult login там сами минуту назад, откажите: доступ просит кто-то другой.',
  as: 'Программа будет действовать как {{email}} 30 дней, пока вы не удалите её токен. О входе придёт письмо.',
  scopes: 'Что ей можно',
  scopesHint: 'Снимите лишнее. Чего не позволяет ваша роль, того не сможет и программа.',
  powerful: 'открывает доступ другим',
  scopesRequired: 'Отметьте хотя бы одно разрешение',
  allow: 'Разрешить',
  deny: 'Отказать',
  outcome: { allowed: 'Готово', denied: 'Программе отказано' },
  outcomeText: {
    allowed:
      'Вернитесь к программе: через несколько секунд она продолжит сама. Её токен — в вашей учётной записи, там его можно удалить.',
    denied: 'Она ничего не получила. Если код вам прислали, сообщите администратору.',
  },
  again: 'Ввести другой код',
  toTokens: 'К токенам',
} as const;

export const en = {
  title: 'Login of a program',
  text: 'The command pult login on your computer shows a code. Enter it here.',
  warning: 'Enter no code that somebody sent or read out to you',
  warningText:
    'Whoever began the login with that code gets access in your name. Neither support nor an administrator sends codes around.',
  codeTitle: 'The program’s code',
  code: 'Code',
  codeHint: 'Eight letters, from the window where you ran pult login yourself',
  codeRequired: 'Enter the code',
  next: 'Continue',
  asks: 'Who asks for access',
  hostName: 'Computer, as the program says',
  noHostName: 'not named',
  address: 'Address of the program',
  ownAddress: 'Your address',
  createdAt: 'Begun',
  otherNetwork: 'The program does not run where you are',
  otherNetworkText:
    'Its address {{address}} is not yours. Unless you ran pult login there yourself a minute ago, refuse: somebody else asks for access.',
  as: 'The program will act as {{email}} for 30 days, until you delete its token. A mail tells of the login.',
  scopes: 'What it may do',
  scopesHint: 'Leave out what it does not need. What your role does not allow, the program cannot do either.',
  powerful: 'lets others in',
  scopesRequired: 'Choose at least one scope',
  allow: 'Allow',
  deny: 'Refuse',
  outcome: { allowed: 'Done', denied: 'The program is refused' },
  outcomeText: {
    allowed:
      'Go back to the program: it continues in a few seconds. Its token is listed in your account, where you can delete it.',
    denied: 'It got nothing. If somebody sent you the code, tell your administrator.',
  },
  again: 'Enter another code',
  toTokens: 'To the tokens',
} as const;
