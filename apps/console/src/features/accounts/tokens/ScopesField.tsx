import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { neverImpliedScopes, type Permission, permissionNames } from '@pult/contract';
import { useTranslation } from 'react-i18next';

const powerful: readonly Permission[] = neverImpliedScopes;
const usual = permissionNames.filter((name) => !powerful.includes(name));
const reading = usual.filter((name) => name.endsWith('.read'));

interface Props {
  value: Permission[];
  error: string | undefined;
  onChange: (scopes: Permission[]) => void;
}

/** Which permissions a token has: each by itself, or the usual ones at once. What lets others in is never among those. */
export function ScopesField({ value, error, onChange }: Props) {
  const { t } = useTranslation(['tokens', 'audit']);
  const boxes = (names: readonly Permission[]) =>
    names.map((name) => (
      <Checkbox
        key={name}
        value={name}
        size="xs"
        label={t(`permission.${name}`, { ns: 'audit' })}
        description={name}
      />
    ));
  const choices = [
    ['reading', reading],
    ['usual', usual],
    ['clear', []],
  ] as const;
  return (
    <Checkbox.Group
      label={t('form.scopes')}
      description={t('form.scopesHint')}
      error={error}
      // The list is long: below it nobody sees what is missing.
      inputWrapperOrder={['label', 'description', 'error', 'input']}
      value={value}
      // Only our own boxes give values.
      onChange={(names) => onChange(names as Permission[])}
    >
      <Group gap="xs" my="xs">
        {choices.map(([name, scopes]) => (
          <Button key={name} variant="default" size="compact-xs" onClick={() => onChange([...scopes])}>
            {t(`form.${name}`)}
          </Button>
        ))}
      </Group>
      <Stack gap="xs">
        {boxes(usual)}
        <div>
          <Text size="sm" fw={500} mt="xs">
            {t('form.powerful')}
          </Text>
          <Text size="xs" c="dimmed">
            {t('form.powerfulHint')}
          </Text>
        </div>
        {boxes(powerful)}
      </Stack>
    </Checkbox.Group>
  );
}
