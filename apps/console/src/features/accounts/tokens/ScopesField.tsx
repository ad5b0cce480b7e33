import { Checkbox, Radio, SimpleGrid, Stack, Text } from '@mantine/core';
import { neverImpliedScopes, type Permission, permissionNames } from '@pult/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../accounts.module.css';

const powerful: readonly Permission[] = neverImpliedScopes;
const usual = permissionNames.filter((name) => !powerful.includes(name));
const reading = usual.filter((name) => name.endsWith('.read'));
const choices = { reading, usual, chosen: undefined } as const;
type Choice = keyof typeof choices;

interface Props {
  value: Permission[];
  error: string | undefined;
  onChange: (scopes: Permission[]) => void;
}

/** Which permissions a token has: those that are usual, or each by itself. What lets others in is never among the usual ones. */
export function ScopesField({ value, error, onChange }: Props) {
  const { t } = useTranslation('tokens');
  const [choice, setChoice] = useState<Choice>();
  const choose = (next: Choice) => {
    setChoice(next);
    const scopes = choices[next];
    // One by one begins with what was chosen.
    if (scopes) onChange([...scopes]);
  };
  return (
    <Stack gap="sm">
      <Radio.Group
        label={t('form.scopes')}
        description={t('form.scopesHint')}
        error={error}
        // The list is long: below it nobody sees what is missing.
        inputWrapperOrder={['label', 'description', 'error', 'input']}
        value={choice ?? null}
        onChange={(next) => choose(next as Choice)} // only our own radios give values
      >
        <Stack gap="xs" mt="xs">
          {(['reading', 'usual', 'chosen'] as const).map((each) => (
            <Radio key={each} value={each} label={t(`form.${each}`)} description={t(`form.${each}Hint`)} />
          ))}
        </Stack>
      </Radio.Group>
      {choice === 'chosen' && <OneByOne value={value} onChange={onChange} />}
    </Stack>
  );
}

function OneByOne({ value, onChange }: Omit<Props, 'error'>) {
  const { t } = useTranslation(['tokens', 'audit']);
  const boxes = (names: readonly Permission[]) => (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="xs">
      {names.map((name) => (
        <Checkbox
          key={name}
          classNames={{ label: classes.scope ?? '' }}
          value={name}
          size="xs"
          label={t(`permission.${name}`, { ns: 'audit' })}
          description={name}
        />
      ))}
    </SimpleGrid>
  );
  return (
    <Checkbox.Group
      aria-label={t('form.chosen')}
      value={value}
      // Only our own boxes give values.
      onChange={(names) => onChange(names as Permission[])}
    >
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
