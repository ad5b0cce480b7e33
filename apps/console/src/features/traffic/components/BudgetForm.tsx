import { Button, NumberInput, Group as Row, Stack, Text } from '@mantine/core';
import type { GroupTrafficBudget } from '@pult/contract';
import { limits } from '@pult/contract/values';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { Form } from '../../../shared/ui/Form.tsx';

/** As everywhere in the console a megabyte has 1,024 kilobytes. */
const megabyte = 1024 ** 2;

const budgetMegabytesMax = Math.floor(limits.trafficBudgetMax / megabyte);

/** Of a field; undefined for what is no budget. */
function readBudget(megabytes: string | number): number | undefined {
  const value = typeof megabytes === 'number' ? megabytes : Number.NaN;
  return Number.isInteger(value) && value >= 1 && value <= budgetMegabytesMax ? value * megabyte : undefined;
}

/** For a field, whole ones: what programs have set to the byte is shown next to it. */
function toMegabytes(bytes: number): number {
  return Math.max(1, Math.round(bytes / megabyte));
}

interface Props {
  /** Bytes; null where there is none of its own. */
  own: number | null;
  /** What counts without one of its own. */
  inherited: GroupTrafficBudget['inherited'];
  /** Why it cannot be changed. */
  reason: string | undefined;
  isPending: boolean;
  /** Null takes the budget away. */
  onSave: (bytes: number | null, onSuccess: () => void) => void;
  /** In a dialog: closes it. */
  onCancel?: () => void;
}

/** A monthly budget in megabytes: set, changed, or taken away. */
export function BudgetForm({ own, inherited, reason, isPending, onSave, onCancel }: Props) {
  const { t } = useTranslation(['traffic', 'shared']);
  const { formatBytes, formatNumber } = useFormat();
  /** What is typed; undefined until somebody does. */
  const [typed, setTyped] = useState<string | number>();
  const [tried, setTried] = useState(false);
  const value = typed ?? (own === null ? '' : toMegabytes(own));
  const bytes = readBudget(value);
  const isSame = typed === undefined || (own !== null && bytes === own);
  const save = (next: number | null) =>
    onSave(next, () => {
      setTyped(undefined);
      setTried(false);
      showToast({ severity: 'success', summary: next === null ? t('budget.removed') : t('budget.saved') });
    });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (reason === undefined && bytes !== undefined && !isSame && !isPending) save(bytes);
  };
  const remove = reason === undefined && own !== null && (
    <Button
      variant="subtle"
      color="gray"
      disabled={isPending}
      // In a dialog it stands apart from what is pressed there as a rule.
      me={onCancel && 'auto'}
      onClick={() => save(null)}
    >
      {t('budget.remove')}
    </Button>
  );
  return (
    <Form onSubmit={submit}>
      <Stack gap="sm" align="flex-start">
        {own === null && (
          <Text size="sm" c="dimmed">
            {inherited
              ? t('budget.inherited', {
                  budget: formatBytes(inherited.bytes),
                  group: inherited.group?.name ?? '',
                })
              : t('budget.none')}
          </Text>
        )}
        <NumberInput
          label={t('budget.field')}
          value={value}
          onChange={setTyped}
          error={
            tried && bytes === undefined && t('budget.range', { maximum: formatNumber(budgetMegabytesMax) })
          }
          readOnly={reason !== undefined}
          allowDecimal={false}
          allowNegative={false}
          clampBehavior="none"
          hideControls
          w={200}
        />
        <Row gap="xs" w="100%" justify={onCancel ? 'flex-end' : 'flex-start'}>
          {onCancel && remove}
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              {t('cancel', { ns: 'shared' })}
            </Button>
          )}
          <DisabledReason reason={reason}>
            <Button
              type="submit"
              variant={onCancel ? 'filled' : 'default'}
              disabled={reason === undefined && isSame}
              loading={isPending}
            >
              {t('budget.save')}
            </Button>
          </DisabledReason>
          {!onCancel && remove}
        </Row>
      </Stack>
    </Form>
  );
}
