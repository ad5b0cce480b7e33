import { ApiError, type RouteName, routes, type TotpScope } from '@pult/contract';
import { useSyncExternalStore } from 'react';

/**
 * Calls that need a fresh TOTP confirmation. One that is refused for want of it waits here until the user has
 * confirmed its scope in the dialog, and is then repeated once. Concurrent calls of one scope share one question;
 * of several scopes one is asked after the other.
 */
interface Question {
  scope: TotpScope;
  /** Of the same scope: all calls that wait for it. */
  isConfirmed: Promise<boolean>;
  settle: (isConfirmed: boolean) => void;
}

let questions: readonly Question[] = [];
const listeners = new Set<() => void>();

function setQuestions(value: readonly Question[]): void {
  questions = value;
  for (const listener of listeners) listener();
}

/** Resolves to whether the user confirmed. */
function ask(scope: TotpScope): Promise<boolean> {
  const asked = questions.find((question) => question.scope === scope);
  if (asked) return asked.isConfirmed;
  let settle: Question['settle'] = () => undefined;
  const isConfirmed = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  setQuestions([...questions, { scope, isConfirmed, settle }]);
  return isConfirmed;
}

export function isConfirmationAsked(): boolean {
  return questions.length > 0;
}

/** Answers the question that is shown, which makes way for the next one. */
export function answerConfirmation(isConfirmed: boolean): void {
  const [shown, ...rest] = questions;
  setQuestions(rest);
  shown?.settle(isConfirmed);
}

/** All questions are off: the page that asked is being left. */
export function cancelConfirmations(): void {
  const dropped = questions;
  setQuestions([]);
  for (const question of dropped) question.settle(false);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The scope that the user is asked to confirm now. */
export function useAskedScope(): TotpScope | undefined {
  return useSyncExternalStore(subscribe, () => questions[0]?.scope);
}

function readScope(route: RouteName): TotpScope | undefined {
  const definition = routes[route];
  return 'confirmation' in definition ? definition.confirmation : undefined;
}

export function isConfirmationNeeded(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || error.status !== 403) return false;
  return error.code === 'totp_required' || error.code === 'totp_expired';
}

/** Makes the call; where it needs a confirmation, asks for it and makes the call once more. A refusal to confirm leaves the first error. */
export async function withConfirmation<T>(route: RouteName, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const scope = isConfirmationNeeded(error) ? readScope(route) : undefined;
    if (scope === undefined || !(await ask(scope))) throw error;
    return call();
  }
}
