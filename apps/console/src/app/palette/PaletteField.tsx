import { limits } from '@pult/contract';
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './palette.module.css';

interface Props {
  ref: RefObject<HTMLInputElement | null>;
  value: string;
  onChange: (value: string) => void;
  /** Serial number of the controller whose actions are listed. */
  subject: string | undefined;
  onBack: () => void;
  onClose: () => void;
  listId: string;
  hasItems: boolean;
  /** Of the option that the keys act on. */
  activeId: string | undefined;
}

/** Keeps the focus while the list below is walked through. */
export function PaletteField(props: Props) {
  const { ref, value, onChange, subject, onBack, onClose, listId, hasItems, activeId } = props;
  const { t } = useTranslation(['palette', 'shared']);
  const actionsOf = subject && t('actionsOf', { serialNumber: subject });
  return (
    <div className={classes.head}>
      {subject ? (
        <button type="button" className={classes.back} aria-label={t('back')} onClick={onBack}>
          <IconArrowLeft size={18} stroke={1.75} />
        </button>
      ) : (
        <IconSearch size={18} stroke={1.75} className={classes.glass ?? ''} />
      )}
      <input
        ref={ref}
        data-autofocus
        className={classes.field}
        type="text"
        role="combobox"
        aria-label={actionsOf ?? t('title')}
        aria-expanded={hasItems}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={activeId}
        placeholder={actionsOf ?? t('placeholder')}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="go"
        maxLength={limits.filterLength}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <button
        type="button"
        className={classes.close}
        aria-label={t('close', { ns: 'shared' })}
        onClick={onClose}
      >
        <kbd className={classes.keys}>Esc</kbd>
        <IconX size={18} stroke={1.75} className={classes.cross ?? ''} />
      </button>
    </div>
  );
}
