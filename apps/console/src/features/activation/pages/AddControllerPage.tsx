import { useTranslation } from 'react-i18next';
import { Page } from '../../../shared/ui/Page.tsx';
import { ActivationForm } from '../components/ActivationForm.tsx';
import classes from '../components/add-controller.module.css';
import { InstallSteps } from '../components/InstallSteps.tsx';

interface Props {
  /** From an activation link. */
  token: string | undefined;
}

export function AddControllerPage({ token }: Props) {
  const { t } = useTranslation('activation');
  return (
    <Page title={t('title')}>
      <div className={classes.columns}>
        <ActivationForm tokenFromAddress={token} />
        <InstallSteps />
      </div>
    </Page>
  );
}
