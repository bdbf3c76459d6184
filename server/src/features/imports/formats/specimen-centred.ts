import type { Segment } from './hl7-message.ts';

/** Messages in which orders are nested under their specimen or its container, rather than specimens under their order. */
export const isSpecimenCentred = (type: string): boolean => /^OUL\^R2[234]$/.test(type);

/**
 * The segments of such a message in the order of ORU^R01: each order after its ORC, with its observations, and then
 * its specimen. In OUL^R22 and R23 the specimen comes before its orders, in R24 after its order; the ORC always
 * follows its OBR. A specimen without an ordered test has no result, and is left out.
 */
export function orderCentred(segments: readonly Segment[]): Segment[] {
  const sorted: Segment[] = [];
  let specimen: Segment[] = [];
  let order: Segment[] | undefined;
  const leads = segments.find(({ id }) => id === 'SPM' || id === 'SAC' || id === 'OBR')?.id !== 'OBR';
  let inSpecimen = false;
  const finish = () => {
    if (order) sorted.push(...order, ...specimen);
    order = undefined;
  };
  for (const segment of segments) {
    const { id } = segment;
    if (leads && (id === 'SPM' || (id === 'SAC' && !inSpecimen))) {
      finish();
      specimen = [segment];
      inSpecimen = true;
    } else if (id === 'OBR') {
      finish();
      order = [segment];
      inSpecimen = false;
    } else if (leads && inSpecimen) specimen.push(segment);
    else if (!order) sorted.push(segment);
    else if (id === 'ORC' && order[0]?.id === 'OBR') order.unshift(segment);
    else order.push(segment);
  }
  finish();
  return sorted;
}
