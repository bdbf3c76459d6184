import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

/**
 * The key of the words why a record is refused: its own before those of any record. `step`: in its workflow, where `lacking`
 * in its own words says what is missing.
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
