import { anyRecord } from '@caseway/contract/record';
import { type Shipment, shipmentContents, shipmentRecord } from '@caseway/contract/sample-shipments';
import { useTranslation } from 'react-i18next';
import { answered, EditRecord } from '../../record/EditRecord.tsx';
import { offerUndo } from '../../record/offer-undo.ts';
import { RecordFields } from '../../record/RecordFields.tsx';
import { useFaultKey } from '../../record/use-fault-key.ts';
import { useRecordText } from '../../record/use-record-text.ts';
import { notify } from '../../session/notify.ts';
import { useAppSelector } from '../../session/store.ts';
import { useShipmentWords } from './shipment-words.ts';

export const shipment = anyRecord(shipmentRecord);
const { endpoints } = shipmentRecord;
/** What a change of a shipment makes old. */
export const oldShipments = [endpoints.read, endpoints.history, endpoints.search, shipmentContents];

/** The form in lines: what is short shares one. */
const lines = {
  fields: shipment.fields,
  form: ['origin', 'destination', ['temperature', 'expectedOn'], ['carrier', 'trackingNumber'], 'note'],
};
const helped: ReadonlySet<string> = new Set(['origin', 'destination']);

/** Prepares a shipment, or changes one that was not sent yet. */
export function EditShipment({
  stored,
  onSaved,
  onClose,
}: {
  /** Null: a new one. */
  stored: Shipment | null;
  onSaved: (saved: Shipment) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('sample-shipments');
  const words = useShipmentWords();
  const text = useRecordText(shipment, words);
  const faultKey = useFaultKey('sample-shipments');
  const org = useAppSelector(({ authentication }) => authentication.selectedTenantOrg);
  return (
    <EditRecord
      record={shipment}
      stored={stored && answered(stored)}
      preset={org?.orgType === 'F' ? { origin: org.id } : {}}
      title={stored ? t('edit.changeTitle', { number: stored.number }) : t('list.add')}
      submit={t(stored ? 'edit.save' : 'list.add')}
      words={words}
      text={text}
      old={oldShipments}
      faultKey={faultKey}
      onSaved={(answer, undo) => {
        const saved = answer as unknown as Shipment;
        if (undo)
          offerUndo('sample-shipments:edit.saved', undo, {
            undone: 'sample-shipments:edit.undone',
            old: oldShipments,
          });
        else notify('success', 'sample-shipments:edit.made', { values: { number: saved.number } });
        onSaved(saved);
      }}
      onClose={onClose}
    >
      <RecordFields
        record={lines}
        isNew={stored === null}
        words={words}
        help={(name) => (helped.has(name) ? t(`edit.help.${name}`) : undefined)}
      />
    </EditRecord>
  );
}
