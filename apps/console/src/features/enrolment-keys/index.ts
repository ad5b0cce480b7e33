export { EnrolmentKeysSection } from './EnrolmentKeysSection.tsx';
