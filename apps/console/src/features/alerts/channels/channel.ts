import type { UseFormReturnType } from '@mantine/form';
import type { AlertRule, SavedAlertRule, TestedAlertRule, UpdateAlertRuleRequest } from '@pult/contract';
import type { ParseKeys, TFunction } from 'i18next';
import type { ComponentType } from 'react';

/** What a person fills in: the fields of the request, those of all channels among them. */
export type RuleForm = {
  /** Null: the organization; undefined: nothing chosen yet. */
  group: string | null | undefined;
} & { [Field in keyof UpdateAlertRuleRequest]-?: NonNullable<UpdateAlertRuleRequest[Field]> };

export interface FieldsProps {
  organizationId: string;
  /** Undefined: a new one. */
  rule: AlertRule | undefined;
  form: UseFormReturnType<RuleForm>;
}

export interface TestReport {
  severity: 'success' | 'error';
  summary: string;
}

/**
 * A way by which rules notify: the twin of the server's AlertChannel of the same name. A new one is a file beside the
 * others and a row in `channels.ts`: docs/adding.md.
 */
export interface AlertChannel {
  name: string;
  /** The title of its column among the rules. */
  title: ParseKeys<'alerts'>;
  /** Its column is there only where a rule uses it. */
  isRare?: true;
  /** Its fields of the form, from a rule or for a new one. */
  initial(rule: AlertRule | undefined): Partial<RuleForm>;
  /** Its fields of the request. */
  toBody(form: RuleForm, isNew: boolean): Partial<UpdateAlertRuleRequest>;
  Fields: ComponentType<FieldsProps>;
  isUsed(rule: AlertRule): boolean;
  /** What its column shows. `isSilent`: the rule uses no channel at all. */
  Cell: ComponentType<{ rule: AlertRule; isSilent: boolean }>;
  /** The secret that an answer shows this once. */
  getSecret?(saved: SavedAlertRule): string | undefined;
  /** How a test went; undefined where the rule does not use it. */
  reportTest(
    tested: TestedAlertRule,
    words: { t: TFunction<'alerts'>; formatNumber: (value: number) => string },
  ): TestReport | undefined;
}
