export { AddSshKeyDialog } from './components/AddSshKeyDialog.tsx';
export { SshKeyRow } from './components/SshKeyRow.tsx';
export { CreatedTokenDialog } from './tokens/CreatedTokenDialog.tsx';
export { CreateTokenDialog } from './tokens/CreateTokenDialog.tsx';
export type { NewToken } from './tokens/queries.ts';
export { TokenRow } from './tokens/TokenRow.tsx';
