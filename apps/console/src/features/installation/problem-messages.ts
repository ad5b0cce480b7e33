/** What is wrong, and what to do about it. */
export const ru = {
  certificate_ending: {
    title: 'Сертификат скоро закончится',
    action: 'Продлите его и посмотрите, почему он не продлился сам. Файлы сервер перечитает без перезапуска.',
  },
  certificate_ended: {
    title: 'Сертификат закончился или закончится со дня на день',
    action: 'Продлите его сейчас: браузеры и контроллеры не подключаются с просроченным.',
  },
  disk_low: {
    title: 'На диске мало места',
    action: 'Освободите место или уменьшите METRICS_RETENTION_DAYS и DIAGNOSTICS_RETENTION_DAYS.',
  },
  disk_full: {
    title: 'Место на диске кончается',
    action: 'Освободите место сейчас: с полным диском база данных остановится.',
  },
  database_slow: {
    title: 'База данных отвечает медленно',
    action: 'Посмотрите на загрузку диска и долгие запросы в pg_stat_activity.',
  },
  license_near: {
    title: 'Лицензия почти исчерпана',
    action: 'Увеличьте MAX_ACTIVATED_CONTROLLERS или удалите контроллеры, которых больше нет.',
  },
  license_reached: {
    title: 'Лицензия исчерпана',
    action: 'Новые контроллеры не активировать. Увеличьте MAX_ACTIVATED_CONTROLLERS или удалите лишние.',
  },
  jobs_failed: {
    title: 'Есть задачи, которые больше не повторяются',
    action: 'Посмотрите причину в списке ниже, устраните её и нажмите «Повторить».',
  },
  jobs_late: {
    title: 'Задачи ждут дольше десяти минут',
    action: 'Посмотрите в журнале сервера, не зависла ли одна из них.',
  },
  mail_unserved: {
    title: 'Письма никто не отправляет',
    action: 'Задайте SMTP_URL и MAIL_FROM. Пока письма читает команда: {{pult}} mail list',
  },
  deliveries_late: {
    title: 'Сообщения ждут отправки дольше получаса',
    action: 'Что ответил почтовый сервер, показывает команда: {{pult}} mail list',
  },
  deliveries_refused: {
    title: 'За сутки были сообщения, которые не удалось доставить',
    action:
      'Причины показывает команда {{pult}} mail list, для оповещений — страница «Оповещения», для вебхуков организации — её настройки, «Вебхуки», «Отправки».',
  },
  backups_unscheduled: {
    title: 'Резервные копии не делаются сами',
    action: 'Задайте расписание в BACKUP_SCHEDULE, например 0 3 * * *',
  },
  backup_without_database: {
    title: 'В резервной копии нет базы данных',
    action: 'База внешняя: копируйте её средствами PostgreSQL, например pg_dump.',
  },
  backup_failed: {
    title: 'Последняя резервная копия не удалась',
    action: 'Устраните причину. Копия по расписанию повторится сама через полчаса.',
  },
  backup_overdue: {
    title: 'Резервная копия устарела',
    action: 'Свежей копии нет вдвое дольше, чем велит расписание. Посмотрите, почему они не удаются.',
  },
  administrator_without_totp: {
    title: 'У администратора сервера нет второго фактора',
    action: 'Попросите его включить второй фактор на странице «Учётная запись».',
  },
  agent_updates_stopped: {
    title: 'Обновления агентов остановлены',
    action:
      'Какой это контроллер, сказано в журнале сервера. Выясните причину и нажмите «Продолжить обновления».',
  },
};

export const en = {
  certificate_ending: {
    title: 'A certificate ends soon',
    action:
      'Renew it, and look why that did not happen by itself. The server reads its files again without a restart.',
  },
  certificate_ended: {
    title: 'A certificate has ended or is about to',
    action: 'Renew it now: browsers and controllers refuse one that has ended.',
  },
  disk_low: {
    title: 'The disk has little space left',
    action: 'Make room, or shorten METRICS_RETENTION_DAYS and DIAGNOSTICS_RETENTION_DAYS.',
  },
  disk_full: {
    title: 'The disk is nearly full',
    action: 'Make room now: a full disk stops the database.',
  },
  database_slow: {
    title: 'The database answers slowly',
    action: 'Look at the load of its disk, and for slow statements in pg_stat_activity.',
  },
  license_near: {
    title: 'The license is nearly used up',
    action: 'Raise MAX_ACTIVATED_CONTROLLERS, or delete controllers that are no more.',
  },
  license_reached: {
    title: 'The license is used up',
    action: 'No more controllers can be activated. Raise MAX_ACTIVATED_CONTROLLERS, or delete some.',
  },
  jobs_failed: {
    title: 'Jobs have failed for good',
    action: 'See why in the list below, mend it and choose “Retry”.',
  },
  jobs_late: {
    title: 'Jobs have been waiting for more than ten minutes',
    action: 'Look in the server’s log whether one of them hangs.',
  },
  mail_unserved: {
    title: 'Nobody sends mails',
    action: 'Set SMTP_URL and MAIL_FROM. Until then read mails with: {{pult}} mail list',
  },
  deliveries_late: {
    title: 'Messages have been waiting for more than half an hour',
    action: 'What the mail server answers is shown by: {{pult}} mail list',
  },
  deliveries_refused: {
    title: 'Messages of the last day could not be delivered',
    action:
      'Why is shown by {{pult}} mail list, for alerts by the page Alerts, and for webhooks of an organization by its settings, Webhooks, Deliveries.',
  },
  backups_unscheduled: {
    title: 'No backups are made by themselves',
    action: 'Set a schedule in BACKUP_SCHEDULE, such as 0 3 * * *',
  },
  backup_without_database: {
    title: 'The database is not in the backups',
    action: 'It is an external one: back it up by PostgreSQL’s own tools, such as pg_dump.',
  },
  backup_failed: {
    title: 'The last backup has failed',
    action: 'Mend the reason. A scheduled backup is tried again after half an hour.',
  },
  backup_overdue: {
    title: 'The newest backup is too old',
    action: 'There has been none for twice the time that the schedule says. Look why they fail.',
  },
  administrator_without_totp: {
    title: 'An administrator of the installation has no second factor',
    action: 'Have it turned on, on the page Account.',
  },
  agent_updates_stopped: {
    title: 'Updates of agents have stopped',
    action:
      'Which controller it is stands in the server’s log. Find the reason, and choose “Go on with updates”.',
  },
};
