export { createSignInFeature } from './sign-in.feature.ts';
