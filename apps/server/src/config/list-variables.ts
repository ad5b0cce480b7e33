import { type VariableName, variables } from './variables.ts';

/** Name, default (the words for "unset" when there is no text) and description of every variable, for documentation. */
export const environmentVariables: readonly { name: VariableName; default: string; description: string }[] = (
  Object.keys(variables) as VariableName[]
).map((name) => {
  const variable = variables[name];
  return {
    name,
    default: 'default' in variable ? variable.default : variable.unset,
    description: variable.description,
  };
});
