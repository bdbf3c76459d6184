import { useTranslation } from 'react-i18next';

/** What helps to fill in the fields of a record, where its words say something. */
export function useFormHelp(id: string): (name: string) => string | undefined {
  const { t, i18n } = useTranslation(id);
  return (name) =>
    i18n.exists(`${id}:edit.help.${name}`)
      ? String(t(`${id}:edit.help.${name}` as 'fault.invalid'))
      : undefined;
}
