import { routes } from '@pult/contract';
import { DomainError } from '../../platform/errors.ts';
import type { Api } from '../../platform/http/api.ts';
import { isForeignOrigin } from '../../platform/http/origin.ts';
import type { SignUpService } from './sign-up.service.ts';

export function registerSignUpRoutes(api: Api, signUps: SignUpService, publicUrl: string): void {
  api.route(routes.signUp, async ({ body, locale, request }) => {
    if (isForeignOrigin(request.headers, publicUrl)) throw new DomainError('origin_forbidden');
    const { userEmail: email, userPassword: password, organizationInviteToken: token } = body;
    const signUp = { email, password, locale, address: request.ip };
    if (token === undefined) await signUps.signUp(signUp);
    else await signUps.signUpByInvite(signUp, token);
    return { email };
  });

  api.route(routes.confirmSignUp, async ({ body, request }) => {
    if (isForeignOrigin(request.headers, publicUrl)) throw new DomainError('origin_forbidden');
    return signUps.confirm(body.token, body.password, request.ip);
  });
}
