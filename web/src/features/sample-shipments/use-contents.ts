import {
  type Contents,
  type conditions,
  scanSpecimen,
  shipmentContents,
  shipmentRecord,
  type waysToFind,
} from '@caseway/contract/sample-shipments';
import { keepAnswered, useCall } from '../../data/api.ts';
import type { AppError } from '../../data/transport.ts';
import { useFaultKey } from '../../record/use-fault-key.ts';
import { notify } from '../../session/notify.ts';

/** Answers that count a shipment's contents, and become stale when they change. */
export const counted = [shipmentRecord.endpoints.read, shipmentRecord.endpoints.search];

/** Shows the contents from a request's answer. */
export const showContents = (id: string, contents: Contents): void =>
  keepAnswered(shipmentContents, { params: { id } }, contents);

/** Notifies why something could not be done. */
export function useRefusal(): (error: AppError) => void {
  const faultKey = useFaultKey('sample-shipments');
  return ({ code, faults }) => notify('error', faults[0] ? faultKey(faults[0].code) : `error.${code}`);
}

export type Condition = (typeof conditions)[number];

/** Receives a specimen; the answer has everything others have received since. */
export function useReception(id: string) {
  const scan = useCall(scanSpecimen, { invalidates: counted });
  const receive = async (code: string, how: (typeof waysToFind)[number], condition: Condition) => {
    const answer = await scan.mutateAsync({ params: { id }, body: { code, how, condition } });
    showContents(id, answer.contents);
    return answer;
  };
  return { receive, isPending: scan.isPending };
}
