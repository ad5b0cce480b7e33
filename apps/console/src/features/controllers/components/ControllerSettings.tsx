import type { Controller } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { Section, SettingSections } from '../../../shared/ui/Section.tsx';
import { AgentSetting } from '../../agent-updates/index.ts';
import { GroupSetting } from '../../groups/index.ts';
import { EndpointsSetting, GuestsSetting, WebCacheSetting } from '../../tunnels/index.ts';
import { type CoordinatesDraft, CoordinatesForm } from './CoordinatesForm.tsx';
import { DeleteController } from './DeleteController.tsx';

interface Props {
  controller: Controller;
  draft: CoordinatesDraft | undefined;
  onDraft: (draft: CoordinatesDraft) => void;
  onDelete: () => Promise<unknown>;
}

export function ControllerSettings({ controller, draft, onDraft, onDelete }: Props) {
  const { t } = useTranslation('controllers');
  return (
    <SettingSections>
      <GroupSetting controller={controller} />
      <EndpointsSetting controller={controller} />
      <WebCacheSetting controller={controller} />
      <GuestsSetting controller={controller} />
      <AgentSetting controller={controller} />
      <Section title={t('coordinates.title')} description={t('coordinates.text')}>
        <CoordinatesForm
          key={controller.serialNumber}
          controller={controller}
          draft={draft}
          onDraft={onDraft}
        />
      </Section>
      <Section title={t('delete.title')} description={t('delete.text')}>
        <DeleteController controller={controller} onDelete={onDelete} />
      </Section>
    </SettingSections>
  );
}
