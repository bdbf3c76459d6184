import { faultInWords } from '@caseway/contract/import-fault';
import type { MessageFault } from '@caseway/contract/imports';
import { useTranslation } from 'react-i18next';

/** The texts of faults and reasons; every code of the contract has a text under `importFault`. */
export function useImportWords() {
  const { t } = useTranslation('imports');
  return {
    fault: (fault: Pick<MessageFault, 'code' | 'params' | 'message'>): string =>
      faultInWords(fault, (key, params) => t(key, { ...params, defaultValue: '' }) || undefined),
    /** Why messages wait or were refused, for many together: without the values of a single one. */
    reason: (reason: string): string =>
      t([`reason.${reason}`, `importFault.${reason}`], { defaultValue: reason }),
  };
}
