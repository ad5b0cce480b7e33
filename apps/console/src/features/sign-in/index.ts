export { IdentitiesSection } from './IdentitiesSection.tsx';
export { SignedIntoSection } from './SignedIntoSection.tsx';
export { SignInOffer } from './SignInOffer.tsx';
export { SignInSection } from './settings/SignInSection.tsx';
