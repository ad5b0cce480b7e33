import {
  type ErrorCode,
  type ErrorValues,
  errorCatalogue,
  formatError,
  type Permission,
  type ValidationTextKey,
} from '@pult/contract';

/** A refusal by a rule of the product. Features throw it by code; the HTTP layer gives it status and language. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly values: ErrorValues;

  constructor(code: ErrorCode, values: ErrorValues = {}) {
    super(formatError(code, 'en', values));
    this.code = code;
    this.values = values;
  }

  get status(): number {
    return errorCatalogue[this.code].status;
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

  constructor(attempt: RefusedAttempt, code: ErrorCode = 'role_forbidden', values: ErrorValues = {}) {
    super(code, values);
    this.organizationId = attempt.organizationId;
    this.subject = attempt.subject;
    this.permission = attempt.permission;
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
