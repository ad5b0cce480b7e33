export { createIssuedTokens, describeToken, type IssuedTokens } from './issued-tokens.ts';
export { readTokenWish, type TokenWish } from './new-token.ts';
export { isToken } from './token-format.ts';
export { createTokenLogins, type TokenLogins } from './token-logins.ts';
export { createTokensRepository } from './tokens.repository.ts';
export { registerTokenRoutes } from './tokens.routes.ts';
export { createTokensService } from './tokens.service.ts';
