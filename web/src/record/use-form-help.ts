import { useTranslation } from 'react-i18next';

/** Help texts for a record's fields, if its file has any. */
export function useFormHelp(id: string): (name: string) => string | undefined {
  const { t, i18n } = useTranslation(id);
  return (name) =>
    i18n.exists(`${id}:edit.help.${name}`)
      ? String(t(`${id}:edit.help.${name}` as 'fault.invalid'))
      : undefined;
}
