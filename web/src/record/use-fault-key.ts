import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

/**
 * The key of the text why a record is refused: the record's own before the general one. `step`: for a step of
 * its workflow, where the record's `lacking` names what is missing.
 */
export function useFaultKey(id: string, step = false): (code: string) => string {
  const { i18n } = useTranslation(id);
  return useCallback(
    (code) =>
      (step && code === 'required' ? ['lacking', code] : [code])
        .map((one) => `${id}:fault.${one}`)
        .find((key) => i18n.exists(key)) ?? `fault.${code}`,
    [id, step, i18n],
  );
}
