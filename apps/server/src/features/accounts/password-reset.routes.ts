import { routes, type Text } from '@pult/contract';
import { DomainError } from '../../platform/errors.ts';
import type { Api } from '../../platform/http/api.ts';
import { isForeignOrigin } from '../../platform/http/origin.ts';
import type { PasswordResetService } from './password-reset.service.ts';

const asked: Text = {
  ru: 'Если такая учётная запись есть, мы отправили на её почту ссылку для смены пароля.',
  en: 'If there is such an account, we have mailed it a link to set a new password.',
};
const askedWithoutMail: Text = {
  ru: 'Почта на этом сервере не настроена. Попросите ссылку для смены пароля у администратора сервера.',
  en: 'Mail is not set up on this server. Ask its administrator for the link to set a new password.',
};
const done: Text = { ru: 'Пароль изменён. Войдите с новым.', en: 'The password is changed. Log in with it.' };

export function registerPasswordResetRoutes(
  api: Api,
  resets: PasswordResetService,
  options: { publicUrl: string; isMailDelivered: boolean },
): void {
  const notice = options.isMailDelivered ? asked : askedWithoutMail;

  api.route(routes.requestPasswordReset, async ({ caller, body, locale, request }) => {
    if (isForeignOrigin(request.headers, options.publicUrl)) throw new DomainError('origin_forbidden');
    await resets.request(caller, body.email);
    return { detail: notice[locale] };
  });

  api.route(routes.confirmPasswordReset, async ({ caller, body, locale, request }) => {
    if (isForeignOrigin(request.headers, options.publicUrl)) throw new DomainError('origin_forbidden');
    await resets.confirm(caller, body);
    return { detail: done[locale] };
  });
}
