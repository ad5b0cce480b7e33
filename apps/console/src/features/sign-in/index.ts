export { IdentitiesSection } from './IdentitiesSection.tsx';
export { SignInSection } from './settings/SignInSection.tsx';
export { SignedIntoSection } from './SignedIntoSection.tsx';
export { SignInOffer } from './SignInOffer.tsx';
