import type { doses, incidentOutcomes, routes, sites, vaccines } from '@caseway/contract/incident-reports';

/*
 * The codes of VAERS files and ours. The first code of a row is written; the others are also read. Values without a
 * code here are stored as received.
 */

type Codes<Ours extends string> = Readonly<Partial<Record<Ours, readonly string[]>>>;

/** `VAX_TYPE`. Vaccines against several diseases that we have no group for are `combined`. */
export const vaccineCodes: Codes<(typeof vaccines)[number]> = {
  anthrax: ['ANTH'],
  bcg: ['BCG'],
  chikungunya: ['CHIK'],
  cholera: ['CHOL'],
  'covid-19': ['COVID19', 'COVID19-2'],
  dengue: ['DF'],
  dt: ['DT'],
  dtap: ['DTAP'],
  dtp: ['DTP'],
  'hepatitis-a': ['HEPA'],
  'hepatitis-a-b': ['HEPAB'],
  'hepatitis-b': ['HEP'],
  hib: ['HIBV', 'HBPV'],
  hpv: ['HPVX', 'HPV2', 'HPV4', 'HPV9'],
  influenza: [
    ...[
      'FLUX',
      'FLU3',
      'FLU4',
      'FLUA3',
      'FLUA4',
      'FLUC3',
      'FLUC4',
      'FLUN',
      'FLUN3',
      'FLUN4',
      'FLUR3',
      'FLUR4',
    ],
    ...['FLU', 'FLU(H1N1)', 'FLUN(H1N1)', 'FLUX(H1N1)', 'H5N1'],
  ],
  'japanese-encephalitis': ['JEVX', 'JEV', 'JEV1'],
  measles: ['MEA'],
  meningococcal: ['MNQ', 'MEN', 'MENB', 'MNC'],
  mmr: ['MMR'],
  mmrv: ['MMRV'],
  mpox: ['SMALLMNK'],
  pneumococcal: ['PNC', 'PNC10', 'PNC13', 'PNC15', 'PNC20', 'PNC21', 'PPV'],
  'polio-inactivated': ['IPV'],
  'polio-oral': ['OPV'],
  rabies: ['RAB'],
  rotavirus: ['RVX', 'RV', 'RV1', 'RV5'],
  rsv: ['RSV'],
  rubella: ['RUB'],
  td: ['TD'],
  tdap: ['TDAP'],
  tetanus: ['TTOX'],
  'tick-borne-encephalitis': ['TBE'],
  typhoid: ['TYP'],
  varicella: ['VARCEL'],
  'yellow-fever': ['YF'],
  zoster: ['VARZOS'],
  combined: [
    ...[
      '6VAX-F',
      'DPP',
      'DTAPH',
      'DTAPHEPBIP',
      'DTAPIPV',
      'DTAPIPVHIB',
      'DTIPV',
      'DTPHEP',
      'DTPHIB',
      'DTPIHI',
    ],
    ...[
      'DTPIPV',
      'DTPPHIB',
      'DTPPVHBHPB',
      'HBHEPB',
      'HEPATYP',
      'MENHIB',
      'MER',
      'MM',
      'MNQHIB',
      'MUR',
      'TDAPIPV',
    ],
  ],
  unknown: ['UNK'],
};
/** For values without their own VAERS code. */
export const notNamed = 'UNK';

/** `VAX_DOSE` of form 1 counts the previous doses. */
export const dosesBefore: Codes<(typeof doses)[number]> = {
  '1': ['0'],
  '2': ['1'],
  '3': ['2'],
  '4': ['3'],
  '5': ['4'],
  '6': ['5'],
  '7-or-more': ['6', '7', '8', '9'],
};
/** `VAX_DOSE_SERIES` is the number of the dose. */
export const doseSeries: Codes<(typeof doses)[number]> = {
  '1': ['1'],
  '2': ['2'],
  '3': ['3'],
  '4': ['4'],
  '5': ['5'],
  '6': ['6'],
  '7-or-more': ['7+', '7', '8', '9'],
  unknown: ['UNK'],
};

export const routeCodes: Codes<(typeof routes)[number]> = {
  intramuscular: ['IM'],
  subcutaneous: ['SC'],
  intradermal: ['ID'],
  oral: ['PO'],
  nasal: ['IN'],
  other: ['OT', 'JET', 'SYR'],
};

/** An arm or a leg without a side is another site. */
export const siteCodes: Codes<(typeof sites)[number]> = {
  'left-arm': ['LA'],
  'right-arm': ['RA'],
  'left-leg': ['LL'],
  'right-leg': ['RL'],
  mouth: ['MO'],
  nose: ['NS'],
  other: ['OT', 'A', 'AR', 'GM', 'L', 'LG'],
};

/** `RECOVD`. A person who is recovering, or has lasting damage, has not recovered. */
export const outcomeCodes: Codes<(typeof incidentOutcomes)[number]> = {
  'not-recovered': ['N'],
  recovered: ['Y'],
  unknown: ['U'],
};

/** Values that mean unknown, or none. */
const nothingSaid: ReadonlySet<string> = new Set(['', 'NA', 'N/A', 'UN', 'UNK']);
export const isNothing = (written: string): boolean => nothingSaid.has(written.trim().toUpperCase());

/** Our code for a VAERS code; null if there is none. */
export function oursOf<Ours extends string>(codes: Codes<Ours>, written: string | undefined): Ours | null {
  const code = written?.trim().toUpperCase() ?? '';
  const found = Object.entries(codes).find(([, theirs]) => (theirs as readonly string[]).includes(code));
  return found ? (found[0] as Ours) : null;
}

/** The VAERS code for one of ours. */
export const theirsOf = (codes: Codes<string>, ours: string | null | undefined, without = ''): string =>
  (ours && codes[ours]?.[0]) || without;
