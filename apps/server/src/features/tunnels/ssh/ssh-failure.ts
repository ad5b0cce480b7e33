export type SshFailureCode =
  | 'ssh_authentication_failed'
  | 'ssh_private_key_invalid'
  | 'host_key_changed'
  | 'sftp_unavailable'
  | 'ssh_failed';

/** The device's SSH server was reached but let no one in, or went away without a word. */
export class SshFailure extends Error {
  override readonly name = 'SshFailure';
  readonly code: SshFailureCode;
  /** Both, when they differ. */
  readonly fingerprints: { pinnedFingerprint?: string; presentedFingerprint?: string };

  constructor(code: SshFailureCode, fingerprints = {}) {
    super(code);
    this.code = code;
    this.fingerprints = fingerprints;
  }
}
