import {
  type ErrorCode,
  type ErrorValues,
  errorCatalogue,
  formatError,
  type Permission,
  type ValidationTextKey,
} from '@pult/contract';
import type { PlainCode, ReasonedCode, ReasonOf } from './refusal-reasons.ts';

/** What the log says of a refusal: words of ours, and ids. */
export interface LoggedRefusal {
  code: ErrorCode;
  reason?: ReasonOf<ReasonedCode>;
  organization?: string;
}

/**
 * A refusal by a rule of the product. Features throw it by code, and where the code has several causes (`refusalReasons`) by the one that
 * holds; the HTTP layer gives it status and language.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  /** For the log alone. */
  readonly reason: ReasonOf<ReasonedCode> | undefined;
  readonly values: ErrorValues;

  constructor(code: PlainCode, values?: ErrorValues);
  constructor(
    ...refusal: {
      [Code in ReasonedCode]: [code: Code, reason: ReasonOf<Code>, values?: ErrorValues];
    }[ReasonedCode]
  );
  constructor(code: ErrorCode, second: ReasonOf<ReasonedCode> | ErrorValues = {}, third: ErrorValues = {}) {
    const [reason, values] = typeof second === 'string' ? [second, third] : [undefined, second];
    super(formatError(code, 'en', values));
    this.code = code;
    this.reason = reason;
    this.values = values;
  }

  get status(): number {
    return errorCatalogue[this.code].status;
  }

  get logged(): LoggedRefusal {
    return { code: this.code, ...(this.reason === undefined ? {} : { reason: this.reason }) };
  }
}

interface RefusedAttempt {
  organizationId: string;
  subject: string;
  /** Where it is another one than the call's. */
  permission?: Permission;
}

/** Too weak a role in one's own organization: `role_forbidden`, with what its audit log says of the attempt. */
export class RoleRefusal extends DomainError {
  readonly organizationId: string;
  readonly subject: string;
  readonly permission: Permission | undefined;

  constructor(attempt: RefusedAttempt, code: PlainCode = 'role_forbidden', values: ErrorValues = {}) {
    super(code, values);
    this.organizationId = attempt.organizationId;
    this.subject = attempt.subject;
    this.permission = attempt.permission;
  }

  override get logged(): LoggedRefusal {
    return { ...super.logged, organization: this.organizationId };
  }
}

/** A field that no schema can check, because its rule needs the database. */
export class FieldError extends Error {
  override readonly name = 'FieldError';
  readonly field: string;
  readonly text: ValidationTextKey;

  constructor(field: string, text: ValidationTextKey) {
    super(`${field}: ${text}`);
    this.field = field;
    this.text = text;
  }
}
