import { NativeSelect } from '@mantine/core';
import type { Role } from '@pult/contract';
import { useTranslation } from 'react-i18next';

interface Props<Choice extends Role> {
  value: Choice;
  choices: readonly Choice[];
  onChange: (role: Choice) => void;
}

/** What a right is to allow, with a line about it. */
export function RoleField<Choice extends Role>({ value, choices, onChange }: Props<Choice>) {
  const { t } = useTranslation(['grants', 'shared', 'organizations']);
  const role: Role = value;
  return (
    <NativeSelect
      label={t('role')}
      description={t(`roleHint.${role}`, { ns: 'organizations' })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={value}
      data={choices.map((each: Role) => ({ value: each, label: t(`roleName.${each}`, { ns: 'shared' }) }))}
      onChange={({ currentTarget }) => {
        const chosen = choices.find((each) => each === currentTarget.value);
        if (chosen) onChange(chosen);
      }}
    />
  );
}
