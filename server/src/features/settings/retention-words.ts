import type { RetentionSetting } from '@caseway/contract/settings';

/** The text of the message about a shorter retention time. */
interface RetentionWords {
  subject(tenant: string): string;
  /** One line for each setting; null: forever. */
  line(setting: RetentionSetting, before: number | null, after: number): string;
  text(values: { tenant: string; lines: string; from: string; address: string }): string;
}

const words: Readonly<Record<'en' | 'es' | 'ht', RetentionWords>> = {
  en: {
    subject: (tenant) => `Caseway: ${tenant} will keep records for a shorter time`,
    line(setting, before, after) {
      const what = {
        rawMessageMonths: 'Text of messages',
        auditMonths: 'Searchable audit log',
        uploadDays: 'Files of dry runs and failed imports',
      }[setting];
      const unit = setting === 'uploadDays' ? 'day' : 'month';
      const count = (n: number) => `${n} ${unit}${n === 1 ? '' : 's'}`;
      return `- ${what}: ${count(after)} (before: ${before === null ? 'forever' : count(before)})`;
    },
    text: ({ tenant, lines, from, address }) =>
      `Hello,\n\nAn administrator of ${tenant} has shortened how long Caseway keeps things:\n\n${lines}\n\nUntil ${from} everything is kept as long as before. After that, what is older is deleted or archived.\n\nIf this is not right, set the former time again before that day. Who changed it is shown there too:\n\n${address}/admin/settings/retention`,
  },
  es: {
    subject: (tenant) => `Caseway: ${tenant} va a conservar registros durante menos tiempo`,
    line(setting, before, after) {
      const what = {
        rawMessageMonths: 'Texto de los mensajes',
        auditMonths: 'Registro de auditoría en el que se puede buscar',
        uploadDays: 'Archivos de simulaciones y de importaciones fallidas',
      }[setting];
      const count = (n: number) =>
        setting === 'uploadDays' ? `${n} ${n === 1 ? 'día' : 'días'}` : `${n} ${n === 1 ? 'mes' : 'meses'}`;
      return `- ${what}: ${count(after)} (antes: ${before === null ? 'para siempre' : count(before)})`;
    },
    text: ({ tenant, lines, from, address }) =>
      `Hola:\n\nQuien administra ${tenant} redujo el tiempo que Caseway conserva lo siguiente:\n\n${lines}\n\nHasta el ${from} todo se conserva como antes. Después se elimina o se archiva lo que sea más antiguo.\n\nSi no es correcto, vuelva a poner el tiempo anterior antes de ese día. Allí también se ve quién lo cambió:\n\n${address}/admin/settings/retention`,
  },
  ht: {
    subject: (tenant) => `Caseway: ${tenant} pral kenbe dosye pandan mwens tan`,
    line(setting, before, after) {
      const what = {
        rawMessageMonths: 'Tèks mesaj yo',
        auditMonths: 'Jounal kontwòl moun ka chèche ladan l',
        uploadDays: 'Fichye similasyon ak enpòtasyon ki echwe',
      }[setting];
      const unit = setting === 'uploadDays' ? 'jou' : 'mwa';
      return `- ${what}: ${after} ${unit} (anvan: ${before === null ? 'pou tout tan' : `${before} ${unit}`})`;
    },
    text: ({ tenant, lines, from, address }) =>
      `Bonjou,\n\nYon administratè ${tenant} diminye tan Caseway kenbe bagay sa yo:\n\n${lines}\n\nJiska ${from}, tout bagay rete menm jan ak anvan. Apre sa, sa ki pi ansyen ap efase oswa ap ale nan achiv.\n\nSi sa pa bon, remete ansyen tan an anvan jou sa a. W ap wè tou ki moun ki chanje l:\n\n${address}/admin/settings/retention`,
  },
};

/** The words in a language, its base, or English. */
export function retentionWords(languageCode: string): { language: string; words: RetentionWords } {
  const base = languageCode.split('-')[0]!;
  const language = Object.hasOwn(words, base) ? (base as keyof typeof words) : 'en';
  return { language, words: words[language] };
}
