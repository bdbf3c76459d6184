import { clusterBases, indexBases, partnerBases } from '@caseway/contract/partner-flow';
import type { PartnerService } from '@caseway/contract/partner-services';
import { useTranslation } from 'react-i18next';
import { answered, EditRecord } from '../../record/EditRecord.tsx';
import { offerUndo } from '../../record/offer-undo.ts';
import { PersonField } from '../../record/PersonField.tsx';
import { RecordFields } from '../../record/RecordFields.tsx';
import { useFaultKey } from '../../record/use-fault-key.ts';
import { notify } from '../../session/notify.ts';
import { oldPartners, partner, usePartnerText, usePartnerWords } from './partner-words.ts';

const hiv = [
  ['hivStatus', 'hivTested'],
  ['hivTestedOn', 'hivResult'],
  ['hivCounselled', 'hivCounselledOn'],
];
/** The form of the case itself, whose person is known, and that of somebody who was named; what is short shares a line. */
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
const helped: ReadonlySet<string> = new Set(['patient', 'description', 'handle']);

/** Starts partner services of a case, adds somebody who was named (`index`: to these), or changes them. */
export function EditPartner({
  stored,
  caseId,
  index,
  onSaved,
  onClose,
}: {
  /** Null: a new one. */
  stored: PartnerService | null;
  caseId: string;
  index: string | null;
  onSaved: (saved: PartnerService) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('partner-services');
  const words = usePartnerWords();
  const text = usePartnerText(stored);
  const faultKey = useFaultKey('partner-services');
  const add = t(index === null ? 'edit.start' : 'edit.add');
  const chosen = stored?.patient ? { id: stored.patient, label: stored.name ?? stored.number } : undefined;
  return (
    <EditRecord
      record={partner}
      stored={stored && answered(stored)}
      preset={{ caseRecord: caseId, ...(index !== null && { index, namedHow: 'original' }) }}
      title={stored ? t('edit.changeTitle', { number: stored.number }) : add}
      submit={stored ? t('common:action.save') : add}
      wide
      words={words}
      text={text}
      old={oldPartners}
      faultKey={faultKey}
      onSaved={(answer, undo) => {
        const saved = answer as unknown as PartnerService;
        if (undo)
          offerUndo('partner-services:edit.saved', undo, {
            undone: 'partner-services:edit.undone',
            old: oldPartners,
          });
        else notify('success', 'partner-services:edit.made', { values: { number: saved.number } });
        onSaved(saved);
      }}
      onClose={onClose}
    >
      <RecordFields
        record={{ fields: partner.fields, form: index === null ? ofCase : ofNamed }}
        isNew={stored === null}
        stored={stored ?? {}}
        words={words}
        help={(name) => (helped.has(name) ? t(`edit.help.${name}`) : undefined)}
        offered={{ referralBasis: index === null ? indexBases : [...partnerBases, ...clusterBases] }}
        own={{ patient: (shown) => <PersonField {...shown} {...(chosen && { chosen })} /> }}
      />
    </EditRecord>
  );
}
