import type { MessageFault } from '@caseway/contract/imports';
import { useTranslation } from 'react-i18next';

/** The texts of faults and reasons; every code of the contract has a text under `importFault`. */
export function useImportWords() {
  const { t } = useTranslation('imports');
  return {
    fault: ({ code, params, message }: Pick<MessageFault, 'code' | 'params' | 'message'>): string => {
      const columns = params?.columns
        ?.split(/,\s*/)
        .map((group) =>
          group
            .split('/')
            .map((field) => t(`csvField.${field.trim()}`, { defaultValue: field.trim() }))
            .join(' / '),
        )
        .join(', ');
      return t(`importFault.${code}`, { ...params, ...(columns ? { columns } : {}), defaultValue: message });
    },
    /** Why messages wait or were refused, for many together: without the values of a single one. */
    reason: (reason: string): string =>
      t([`reason.${reason}`, `importFault.${reason}`], { defaultValue: reason }),
  };
}
