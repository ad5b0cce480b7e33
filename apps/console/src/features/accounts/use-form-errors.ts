import { useEffect, useRef, useState } from 'react';
import { readFieldErrors } from '../../shared/api/error-messages.ts';

type FieldErrors = Readonly<Record<string, string>>;

/** What a form and then the server have against its fields, by their names in the API. */
export function useFormErrors() {
  const [errors, setErrors] = useState<FieldErrors>({});
  /** Grows with each refusal. */
  const [refusals, setRefusals] = useState(0);
  /** Give it to the form: the first field that is refused gets the focus. */
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusals]);
  const refuse = (found: FieldErrors) => {
    setErrors(found);
    if (Object.keys(found).length > 0) setRefusals((count) => count + 1);
  };
  return {
    form,
    errors,
    setErrors: refuse,
    /** The field is being typed anew. */
    clear: (field: string) => setErrors(({ [field]: _, ...rest }) => rest),
    /** For `onError` of a mutation; resolves to what the server has against the fields. */
    read: async (error: unknown): Promise<FieldErrors> => {
      const found = await readFieldErrors(error);
      refuse(found);
      return found;
    },
  };
}
