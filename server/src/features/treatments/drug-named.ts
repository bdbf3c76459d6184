import { drugs } from '@caseway/contract/treatments';
import { withoutAccents } from '../../platform/text/fold.ts';

export type Drug = (typeof drugs)[number];

/** Names of medicines in English, Spanish, French and Haitian Creole, and brand names. */
const medicines = {
  benzathine: /ben[sz]ath?in|bicillin l|\bbpg\b/,
  aqueous: /aqueous|crystalline|cristalina|penicillin g (potassium|sodium)/,
  procaine: /pro[ck]ain/,
  probenecid: /probenecid/,
  doxycycline: /dox[iy]c[iy]cl|doksisiklin|\bdoxy\b/,
  ceftriaxone: /[cs]ef?tria[xks]+on|rocephin/,
  cefixime: /cefixim|suprax/,
  gentamicin: /gentam[iy][cs]in/,
  azithromycin: /azithro|azitrom[iy][cs]in|zithromax/,
  levofloxacin: /levofloxa[cs]in/,
  moxifloxacin: /moxifloxa[cs]in/,
  amoxicillin: /amo[xks]+i[cs]il+in/,
  metronidazole: /metronidazol|flagyl/,
  tinidazole: /tinidazol/,
  valacyclovir: /vala[cs]i?y?clovir|valtrex/,
  acyclovir: /\ba[cs]i?y?clovir|zovirax/,
} as const;
type Medicine = keyof typeof medicines;

/** What a text says about a medicine. */
interface Said {
  medicines: readonly Medicine[];
  /** The milligrams that it names. */
  milligrams: readonly number[];
  /** The millions of units that it names. */
  millions: readonly number[];
  days: number | undefined;
  doses: number | undefined;
}

const isOnce = ({ days, doses }: Said) => (days ?? 1) === 1 && (doses ?? 1) === 1;
const lasts =
  (least: number, most = least) =>
  ({ days }: Said) =>
    days !== undefined && days >= least && days <= most;
const has =
  (...milligrams: number[]) =>
  (said: Said) =>
    milligrams.some((one) => said.milligrams.includes(one));

/** The medicines of each listed treatment, and what else a text must say: its dose, or its length. */
const listed: readonly { drug: Drug; of: readonly Medicine[]; is: (said: Said) => boolean }[] = [
  {
    drug: 'benzathine-penicillin-once',
    of: ['benzathine'],
    is: (said) => said.millions.includes(2.4) && isOnce(said),
  },
  {
    drug: 'benzathine-penicillin-three-weekly',
    of: ['benzathine'],
    is: ({ millions, doses }) =>
      (millions.includes(7.2) && doses === undefined) || (millions.includes(2.4) && doses === 3),
  },
  { drug: 'aqueous-penicillin-iv', of: ['aqueous'], is: lasts(10, 14) },
  { drug: 'procaine-penicillin-probenecid', of: ['procaine', 'probenecid'], is: lasts(10, 14) },
  { drug: 'doxycycline-7-days', of: ['doxycycline'], is: lasts(7) },
  { drug: 'doxycycline-14-days', of: ['doxycycline'], is: lasts(14) },
  { drug: 'doxycycline-28-days', of: ['doxycycline'], is: lasts(28) },
  { drug: 'ceftriaxone-250-once', of: ['ceftriaxone'], is: (said) => has(250)(said) && isOnce(said) },
  { drug: 'ceftriaxone-500-once', of: ['ceftriaxone'], is: (said) => has(500)(said) && isOnce(said) },
  { drug: 'ceftriaxone-1-gram', of: ['ceftriaxone'], is: has(1000) },
  { drug: 'cefixime-800-once', of: ['cefixime'], is: (said) => has(800)(said) && isOnce(said) },
  { drug: 'gentamicin-azithromycin-once', of: ['gentamicin', 'azithromycin'], is: isOnce },
  { drug: 'azithromycin-1-gram-once', of: ['azithromycin'], is: (said) => has(1000)(said) && isOnce(said) },
  { drug: 'azithromycin-4-days', of: ['azithromycin'], is: (said) => has(500)(said) && lasts(4)(said) },
  { drug: 'levofloxacin-7-days', of: ['levofloxacin'], is: lasts(7) },
  { drug: 'moxifloxacin-7-days', of: ['moxifloxacin'], is: lasts(7) },
  { drug: 'amoxicillin-7-days', of: ['amoxicillin'], is: lasts(7) },
  {
    drug: 'metronidazole-2-grams-once',
    of: ['metronidazole'],
    is: (said) => has(2000)(said) && isOnce(said),
  },
  { drug: 'metronidazole-7-days', of: ['metronidazole'], is: lasts(7) },
  { drug: 'tinidazole-2-grams-once', of: ['tinidazole'], is: (said) => has(2000)(said) && isOnce(said) },
  { drug: 'valacyclovir-7-to-10-days', of: ['valacyclovir'], is: lasts(7, 10) },
  { drug: 'acyclovir-7-to-10-days', of: ['acyclovir'], is: lasts(7, 10) },
];

/**
 * The listed treatment that a text names with its dose or length: `Doxycycline 100 mg BID x 7 days`. Undefined for
 * any other text: a medicine alone says neither, and none is guessed.
 */
export function drugNamed(written: string): Drug | undefined {
  const code = drugs.find((drug) => drug === written.trim().toLowerCase());
  if (code && code !== 'other') return code;
  const said = read(written);
  const found = listed.filter(
    ({ of, is }) =>
      of.length === said.medicines.length && of.every((one) => said.medicines.includes(one)) && is(said),
  );
  return found.length === 1 ? found[0]!.drug : undefined;
}

function read(written: string): Said {
  const text = withoutAccents(written)
    .toLowerCase()
    // Commas separate thousands of units, and in some countries parts of a million.
    .replace(/(\d),(?=\d{3}(?!\d))/g, '$1')
    .replace(/(\d),(?=\d)/g, '$1.');
  const numbers = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, number]) => Number(number));
  const named = (Object.keys(medicines) as Medicine[]).filter((one) => medicines[one].test(text));
  return {
    // The other one's name contains its name.
    medicines: named.includes('valacyclovir') ? named.filter((one) => one !== 'acyclovir') : named,
    milligrams: [
      ...numbers(/(\d+(?:\.\d+)?)\s*mg\b/g),
      ...numbers(/(\d+(?:\.\d+)?)\s*g(?:m|r|ram|rams|ramo|ramos|ramme)?\b/g).map((grams) => grams * 1000),
    ],
    millions: [
      ...numbers(/(\d+(?:\.\d+)?)\s*(?:mu|miu|million|millon)/g),
      ...numbers(/(\d{6,8})\s*(?:u|iu|ui|units|unidades|unites|inite)\b/g).map((units) => units / 1e6),
    ],
    days: numbers(/(\d+)[\s-]*(?:d|days?|dias?|jours?|jou)\b/g)[0],
    doses: /\b(?:once|single|unica|unique|stat|1 dose|one dose)\b/.test(text)
      ? 1
      : (numbers(/(\d+)\s*(?:doses|dosis|weekly|weeks|semanas|semaines|semen)\b/g)[0] ??
        (/\bthree (?:weekly )?doses\b/.test(text) ? 3 : numbers(/x\s*(\d+)\s*$/g)[0])),
  };
}
