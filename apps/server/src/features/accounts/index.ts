export { createAccessTokens } from './access-tokens.ts';
export { createAccountsRepository } from './accounts.repository.ts';
export { registerAccountRoutes } from './accounts.routes.ts';
export { createAccountsService } from './accounts.service.ts';
export { type Authenticate, createAuthenticate } from './authenticate.ts';
export { createFirstAdministrator } from './first-administrator.ts';
export { createLoginThrottle } from './login-throttle.ts';
export { createPassword, hashPassword } from './password.ts';
export { createSessionCookies } from './session-cookies.ts';
