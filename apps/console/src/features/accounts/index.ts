export { SshKeyList } from './components/SshKeysSection.tsx';
export type { NewToken } from './tokens/queries.ts';
export { TokenList } from './tokens/TokensSection.tsx';
