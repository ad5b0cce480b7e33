import { useState } from 'react';
import { readFieldErrors } from '../../shared/api/error-messages.ts';

type FieldErrors = Readonly<Record<string, string>>;

/** What a form and then the server have against its fields, by their names in the API. */
export function useFormErrors() {
  const [errors, setErrors] = useState<FieldErrors>({});
  return {
    errors,
    setErrors,
    /** The field is being typed anew. */
    clear: (field: string) => setErrors(({ [field]: _, ...rest }) => rest),
    /** For `onError` of a mutation; resolves to what the server has against the fields. */
    read: async (error: unknown): Promise<FieldErrors> => {
      const found = await readFieldErrors(error);
      setErrors(found);
      return found;
    },
  };
}
