import { labelIn } from '@caseway/contract/label';
import { readPatientWordsReview } from '@caseway/contract/portal';
import Alert from '@mui/material/Alert';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../data/api.ts';
import { Answered } from '../../ui/Answered.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Section } from '../../ui/Section.tsx';
import { useFormats } from '../../words/formats.ts';

/** Whether a clinician has signed the explanations of results for patients. [P26] */
export function PatientWordsReview() {
  const { t, i18n } = useTranslation('patient-portal');
  const formats = useFormats();
  const query = useApi(readPatientWordsReview);
  return (
    <Section title={t('words.title')}>
      <Typography variant="body1" sx={{ color: 'text.secondary', maxWidth: '72ch' }}>
        {t('words.lead')}
      </Typography>
      <Answered query={query} height={120}>
        {({ reviewed, signer, explanations }) => (
          <>
            {reviewed ? null : <Alert severity="warning">{t('words.unsigned')}</Alert>}
            <Facts
              facts={[
                [
                  t('words.reviewed'),
                  reviewed
                    ? t('words.by', { name: reviewed.by, day: formats.dayInWords(reviewed.on) })
                    : t('words.notYet'),
                ],
                [t('words.signer'), labelIn(signer, i18n.language)],
                [t('words.explanations'), formats.count(explanations)],
                [t('words.file'), 'docs/patient-explanations.md'],
              ]}
            />
          </>
        )}
      </Answered>
    </Section>
  );
}
