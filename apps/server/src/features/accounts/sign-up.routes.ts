import { routes } from '@pult/contract';
import { DomainError } from '../../platform/errors.ts';
import type { Api } from '../../platform/http/api.ts';
import { isForeignOrigin } from '../../platform/http/origin.ts';
import type { SignUpService } from './sign-up.service.ts';

export function registerSignUpRoutes(api: Api, signUps: SignUpService, publicUrl: string): void {
  api.route(routes.signUp, async ({ caller, body, request }) => {
    if (isForeignOrigin(request.headers, publicUrl)) throw new DomainError('origin_forbidden');
    const { userEmail: email, userPassword: password, organizationInviteToken: token } = body;
    if (token === undefined) await signUps.signUp(caller, { email, password });
    else await signUps.signUpByInvite(caller, { email, password }, token);
    return { email };
  });

  api.route(routes.confirmSignUp, async ({ caller, body, request }) => {
    if (isForeignOrigin(request.headers, publicUrl)) throw new DomainError('origin_forbidden');
    return signUps.confirm(caller, body);
  });
}
