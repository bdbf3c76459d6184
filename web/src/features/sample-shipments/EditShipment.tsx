import type { Shipment } from '@caseway/contract/sample-shipments';
import { type FormHandlers, RecordForm } from '../../record/RecordForm.tsx';
import { useAppSelector } from '../../session/store.ts';
import { shipments } from './shipment-words.ts';

/** Prepares a shipment, or changes an unsent one. */
export function EditShipment({
  stored,
  ...handlers
}: FormHandlers<Shipment> & {
  /** Null for a new one. */
  stored: Shipment | null;
}) {
  const org = useAppSelector(({ authentication }) => authentication.selectedTenantOrg);
  return (
    <RecordForm
      of={shipments}
      stored={stored}
      preset={org?.orgType === 'F' ? { origin: org.id } : {}}
      wide={false}
      {...handlers}
    />
  );
}
