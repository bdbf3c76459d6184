import type { vaccines } from './incident-reports.ts';

type Group = (typeof vaccines)[number];

/**
 * CDC vaccine codes (CVX), each with Caseway's group, in display order. Names are under `choice.vaccine` of
 * `vaccinations.json`.
 */
const cvx = [
  ['213', 'covid-19'],
  ['208', 'covid-19'],
  ['309', 'covid-19'],
  ['207', 'covid-19'],
  ['312', 'covid-19'],
  ['211', 'covid-19'],
  ['212', 'covid-19'],
  ['88', 'influenza'],
  ['140', 'influenza'],
  ['141', 'influenza'],
  ['150', 'influenza'],
  ['135', 'influenza'],
  ['111', 'influenza'],
  ['149', 'influenza'],
  ['03', 'mmr'],
  ['94', 'mmrv'],
  ['21', 'varicella'],
  ['20', 'dtap'],
  ['110', 'combined'],
  ['120', 'combined'],
  ['130', 'combined'],
  ['146', 'combined'],
  ['115', 'tdap'],
  ['139', 'td'],
  ['35', 'tetanus'],
  ['01', 'dtp'],
  ['28', 'dt'],
  ['10', 'polio-inactivated'],
  ['02', 'polio-oral'],
  ['17', 'hib'],
  ['08', 'hepatitis-b'],
  ['43', 'hepatitis-b'],
  ['189', 'hepatitis-b'],
  ['45', 'hepatitis-b'],
  ['83', 'hepatitis-a'],
  ['52', 'hepatitis-a'],
  ['85', 'hepatitis-a'],
  ['104', 'hepatitis-a-b'],
  ['133', 'pneumococcal'],
  ['215', 'pneumococcal'],
  ['216', 'pneumococcal'],
  ['33', 'pneumococcal'],
  ['114', 'meningococcal'],
  ['136', 'meningococcal'],
  ['203', 'meningococcal'],
  ['162', 'meningococcal'],
  ['163', 'meningococcal'],
  ['165', 'hpv'],
  ['62', 'hpv'],
  ['116', 'rotavirus'],
  ['119', 'rotavirus'],
  ['187', 'zoster'],
  ['121', 'zoster'],
  ['304', 'rsv'],
  ['206', 'mpox'],
  ['19', 'bcg'],
  ['37', 'yellow-fever'],
  ['25', 'typhoid'],
  ['101', 'typhoid'],
  ['18', 'rabies'],
  ['134', 'japanese-encephalitis'],
  ['222', 'tick-borne-encephalitis'],
  ['330', 'dengue'],
  ['317', 'chikungunya'],
  ['26', 'cholera'],
  ['05', 'measles'],
  ['06', 'rubella'],
  ['24', 'anthrax'],
] as const satisfies readonly (readonly [code: string, group: Group])[];

export type CvxCode = (typeof cvx)[number][0];
export const otherVaccine = 'other';
/** What can have been given: a code, or a vaccine with a typed name. */
export const vaccineCodes = [...cvx.map(([code]) => code), otherVaccine] as const satisfies readonly (
  | CvxCode
  | 'other'
)[];

const groups: ReadonlyMap<string, Group> = new Map(cvx);
/** A vaccine's group in incident reports. */
export const vaccineGroupOf = (code: string): Group => groups.get(code) ?? 'other';

/** CDC manufacturer codes (MVX), and any other. */
export const manufacturers = [
  'BN',
  'DVX',
  'MIP',
  'SKB',
  'JSN',
  'MED',
  'MSD',
  'MOD',
  'NVX',
  'PFR',
  'PMC',
  'SEQ',
  'OTH',
] as const;
