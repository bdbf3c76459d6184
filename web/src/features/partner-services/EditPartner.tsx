import type { PartnerService } from '@caseway/contract/partner-services';
import { useTranslation } from 'react-i18next';
import { type FormHandlers, RecordForm } from '../../record/RecordForm.tsx';
import { basesOf, partners } from './partner-words.ts';

const hiv = [
  ['hivStatus', 'hivTested'],
  ['hivTestedOn', 'hivResult'],
  ['hivCounselled', 'hivCounselledOn'],
];
/**
 * The form of the case itself, whose person is known, and that of a named person; short fields share a line.
 */
const ofCase = ['referralBasis', 'phone', ['pregnant', 'weeksPregnant'], ...hiv, 'note'];
const ofNamed = [
  'patient',
  'description',
  'handle',
  ['sex', 'age'],
  'phone',
  ['namedHow', 'referralBasis'],
  ['relation', 'metOnline'],
  ['firstExposedOn', 'lastExposedOn'],
  'sourceSpread',
  ['pregnant', 'weeksPregnant'],
  ...hiv,
  'note',
];

/** Starts partner services of a case, adds a named person (`index`: to this record), or changes them. */
export function EditPartner({
  stored,
  caseId,
  index,
  ...handlers
}: FormHandlers<PartnerService> & {
  /** Null for a new one. */
  stored: PartnerService | null;
  caseId: string;
  index: string | null;
}) {
  const { t } = useTranslation('partner-services');
  return (
    <RecordForm
      of={partners}
      stored={stored}
      form={index === null ? ofCase : ofNamed}
      preset={{ caseRecord: caseId, ...(index !== null && { index, namedHow: 'original' }) }}
      chosen={stored?.patient ? { id: stored.patient, label: stored.name ?? stored.number } : undefined}
      add={t(index === null ? 'edit.start' : 'edit.add')}
      offered={{ referralBasis: basesOf(index) }}
      {...handlers}
    />
  );
}
