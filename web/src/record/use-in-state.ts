import { type AnyRecord, accessOf } from '@caseway/contract/record';
import { doableIn } from '@caseway/contract/workflow';
import { useMay } from '../session/permissions.ts';
import type { FaultWords } from '../ui/fault-words.ts';

/** Why something cannot be done in a record's state: the state's name, and what the user can do in it. */
export function useInState(
  record: Pick<AnyRecord, 'access' | 'workflow'>,
): (
  state: string,
  words: { choice: (field: string, code: string) => string; deed: (transition: string) => string },
) => FaultWords {
  const may = useMay();
  return (state, { choice, deed }) => {
    const { of, flow } = record.workflow!;
    const status = choice(of, state);
    const deeds = doableIn(flow, state, accessOf(record).write, may).map(({ id }) => deed(id));
    return {
      key: deeds.length > 0 ? 'common:fault.inStatus' : 'common:fault.nothingInStatus',
      values: { status, deeds: deeds.join(', ') },
    };
  };
}
