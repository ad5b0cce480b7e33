import type { z } from 'zod';
import type { GoneVariable } from './gone-variables.ts';
import type { VariableName, variables } from './variables.ts';

type Value<N extends VariableName> = z.output<(typeof variables)[N]['type']>;

/** Parsed values by name. Variables with a default are always there; an unset one without is undefined. */
export type Environment = {
  readonly [N in VariableName]: (typeof variables)[N] extends { default: string }
    ? Value<N>
    : Value<N> | undefined;
} & {
  readonly gone: readonly GoneVariable[];
};
