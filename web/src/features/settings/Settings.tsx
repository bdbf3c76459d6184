import { readSettings } from '@caseway/contract/settings';
import { FileX } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { useApi } from '../../data/api.ts';
import { Answered } from '../../ui/Answered.tsx';
import { Message } from '../../ui/Message.tsx';
import { Page } from '../../ui/Page.tsx';
import { ScreenTabs } from '../../ui/ScreenTabs.tsx';
import { Features } from './Features.tsx';
import { Calendar, General, Guardians, Privacy, Retention, SignInRules } from './forms.tsx';
import { GuideSection } from './GuideSteps.tsx';
import { InvestigationForms } from './InvestigationForms.tsx';
import { Labels } from './Labels.tsx';
import { Messages } from './Messages.tsx';
import { Population } from './Population.tsx';
import { type SettingsSection, sectionPath, sections } from './sections.ts';

/** A tenant's settings, section by section. `results`: which results patients see, and when. */
export default function Settings({ results }: { results: ReactNode }) {
  const { t } = useTranslation('settings');
  const { section = 'general' } = useParams();
  const known = sections.find((one) => one === section);
  return (
    <Page title={t('common:screen.settings')} lead={t('screen.lead')}>
      <ScreenTabs
        label={t('common:screen.settings')}
        places={sections.map((one) => ({ to: sectionPath(one), label: t(`section.${one}`) }))}
      />
      {known === undefined ? (
        <Message icon={FileX} title={t('common:screen.notFoundTitle')}>
          {t('common:screen.notFound')}
        </Message>
      ) : (
        <Part key={known} section={known} results={results} />
      )}
    </Page>
  );
}

function Part({ section, results }: { section: SettingsSection; results: ReactNode }): ReactElement {
  const query = useApi(readSettings);
  if (section === 'labels') return <Labels />;
  if (section === 'forms') return <InvestigationForms />;
  if (section === 'population') return <Population />;
  if (section === 'results') return <>{results}</>;
  if (section === 'messages') return <Messages />;
  if (section === 'guide') return <GuideSection />;
  const Form = {
    general: General,
    calendar: Calendar,
    features: Features,
    privacy: Privacy,
    guardians: Guardians,
    'sign-in': SignInRules,
    retention: Retention,
  }[section];
  return (
    <Answered query={query} height={420}>
      {(answer) => <Form answer={answer} />}
    </Answered>
  );
}
