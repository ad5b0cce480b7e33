export { CreateServiceDialog } from './CreateServiceDialog.tsx';
export { serviceAccountsQuery } from './queries.ts';
export { ServiceDetails } from './ServiceDetails.tsx';
