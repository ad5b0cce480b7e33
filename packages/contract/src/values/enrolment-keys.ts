/** Whether devices can use a key of their organization, and why not. */
export const enrolmentKeyStates = ['active', 'used_up', 'expired', 'revoked'] as const;
export type EnrolmentKeyState = (typeof enrolmentKeyStates)[number];
