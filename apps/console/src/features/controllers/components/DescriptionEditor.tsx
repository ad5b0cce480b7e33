import { TextInput, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type Controller, isAllowed, limits } from '@pult/contract';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconPencil } from '../../../shared/icons/IconPencil.ts';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { useUpdateController } from '../queries.ts';
import classes from './controller-view.module.css';

/** Room for the hint inside the field, so that nothing below it moves. */
const hintWidth = 232;

/** The description, edited where it stands: Enter or leaving it saves, Esc brings the old one back. */
export function DescriptionEditor({ controller }: { controller: Controller }) {
  const { t } = useTranslation(['controllers', 'shared']);
  const [typed, setTyped] = useState<string>();
  const button = useRef<HTMLButtonElement>(null);
  const update = useUpdateController(controller.serialNumber);
  const { description, userRole } = controller;
  const isNarrow = useMediaQuery('(max-width: 47.99em)');
  const hint = <span className={classes.hint}>{t('view.descriptionHint')}</span>;

  const close = (returnFocus: boolean) => {
    setTyped(undefined);
    if (returnFocus) requestAnimationFrame(() => button.current?.focus());
  };
  const save = (returnFocus: boolean) => {
    if (typed === undefined || update.isPending) return;
    const text = typed.trim();
    if (text === description) return close(returnFocus);
    // A failure leaves the field open with what was typed; the error catalogue tells why.
    update.mutate({ description: text }, { onSuccess: () => close(returnFocus) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') save(true);
    if (event.key === 'Escape') close(true);
  };

  if (typed !== undefined) {
    return (
      <TextInput
        className={classes.descriptionField}
        size="xs"
        aria-label={t('view.description')}
        aria-description={t('view.descriptionHint')}
        {...(isNarrow ? {} : { rightSection: hint, rightSectionWidth: hintWidth })}
        value={typed}
        maxLength={limits.descriptionLength}
        readOnly={update.isPending}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={() => save(false)}
        autoFocus
      />
    );
  }
  const reason = isAllowed(userRole, 'controllers.update')
    ? undefined
    : t('roleTooWeak.member', { ns: 'shared' });
  return (
    <DisabledReason reason={reason}>
      <UnstyledButton
        ref={button}
        className={classes.description}
        aria-label={`${t('view.editDescription')}: ${description || '—'}`}
        onClick={() => setTyped(description)}
      >
        {description ? (
          <bdi>{description}</bdi>
        ) : (
          <span className={classes.placeholder}>{t('view.addDescription')}</span>
        )}
        <IconPencil size={14} className={classes.pencil} aria-hidden />
      </UnstyledButton>
    </DisabledReason>
  );
}
