/**
 * Laboratory messages for measuring the importer: HL7 v2.5.1 ELR of one to three results, from twelve laboratories,
 * about people, and a third of them recur. Deterministic; names and numbers are built from lists and counts.
 *
 * The number of people who share a name decides how many a report is compared with. Among 667,000 people, the number
 * in a million messages, ten people on average share a whole name. They live in 240 ZIP codes.
 */

const commonSurnames =
  'Abbott Alvarez Baptiste Bell Chen Clark Cruz Diaz Dubois Evans Flores Garcia Gomez Green Hall Hernandez Hill Jackson Jean Johnson Jones Kim King Lee Lewis Lopez Martin Martinez Moore Morales Nguyen Ortiz Patel Perez Pierre Ramirez Reyes Rivera Roberts Rodriguez Sanchez Singh Smith Taylor Thomas Torres Tran Walker White Williams Wilson Wright Young'.split(
    ' ',
  );
const commonWomen =
  'Ana Aisha Carmen Chloe Claire Elena Emma Fatima Grace Hannah Ines Isabel Julia Karen Laura Linda Lucia Maria Marie Mei Nadia Olivia Paula Rosa Sara Sofia Tina Wendy Yolanda Zoe'.split(
    ' ',
  );
const commonMen =
  'Adam Ahmed Andre Carlos Chidi David Diego Emmanuel Frank George Henry Hugo Ivan James Jean Jorge Jose Juan Karl Kevin Luis Marc Miguel Omar Paul Pedro Quan Robert Samuel Victor'.split(
    ' ',
  );
const put = (stems: string, endings: string) =>
  stems.split(' ').flatMap((stem) => endings.split(' ').map((ending) => stem + ending));
const surnames = put(
  'Ald Ash Ber Bran Cald Carr Dal Den El Fen Gar Had Hart Hol Kel Lang Mar Mil Nor Old Pem Quar Rad Ros San Shel Stan Thorn Wal Wes',
  'berg bury by combe croft dale den field ford ham hurst land ley low man mere ridge rick sen shaw ski son stead stein ton tov ville ward well wick wood worth',
);
const firstStems =
  'Adr Al Am And Bel Ber Cam Cas Cor Dan Del Ev Fel Gab Hel Jan Jos Kat Lor Mar Mel Nor Ros Syl Val';
const women = put(firstStems, 'a elle ette ia iana ina ine isa');
const men = put(firstStems, 'an en ian in o on or us');
const streets = 'Oak Pine Cedar Elm Maple Lake Hill Park River Main Church Mill Spring High Union'.split(' ');
const places: [city: string, zip: string, county: string][] = [
  ['Atlanta', '30303', '13121'], ['Savannah', '31401', '13051'], ['Augusta', '30901', '13245'],
  ['Macon', '31201', '13021'], ['Columbus', '31901', '13215'], ['Athens', '30601', '13059'],
]; // biome-ignore format: a table

interface Panel {
  order: string;
  tests: [code: string, name: string][];
  positives: number;
}
const panels: Panel[] = [
  { order: '94500-6^SARS-CoV-2 RNA^LN', tests: [['94500-6', 'SARS-CoV-2 RNA']], positives: 0.12 },
  {
    order: '36902-5^Chlamydia and gonorrhoea^LN',
    tests: [
      ['21613-5', 'Chlamydia trachomatis DNA'],
      ['24111-7', 'Neisseria gonorrhoeae DNA'],
    ],
    positives: 0.09,
  },
  {
    order: '95941-1^Influenza A, B and SARS-CoV-2^LN',
    tests: [
      ['94500-6', 'SARS-CoV-2 RNA'],
      ['92142-9', 'Influenza A RNA'],
      ['92141-1', 'Influenza B RNA'],
    ],
    positives: 0.08,
  },
  {
    order: '56888-1^HIV 1+2 Ag+Ab^LN',
    tests: [['56888-1', 'HIV 1+2 antibody and antigen']],
    positives: 0.01,
  },
];

/** The n-th of a reproducible series of numbers from 0 to 1 (a mixing function of the count). */
function chance(n: number, salt: number): number {
  let x = (Math.imul(n + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b)) >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return ((x ^ (x >>> 16)) >>> 0) / 2 ** 32;
}
const pick = <T>(list: readonly T[], n: number, salt: number): T =>
  list[Math.floor(chance(n, salt) * list.length)]!;
const two = (n: number) => String(n).padStart(2, '0');
const day = (n: number) => {
  const date = new Date(Date.UTC(2026, 0, 1) + (n % 180) * 86_400_000);
  return `${date.getUTCFullYear()}${two(date.getUTCMonth() + 1)}${two(date.getUTCDate())}`;
};

/** The n-th message. */
export function message(n: number): string {
  // Of three messages, two are about a new person, the third about an earlier one.
  const person = n % 3 === 2 ? Math.floor(chance(n, 1) * n) : n;
  const female = chance(person, 2) < 0.5;
  const last = pick(chance(person, 12) < 0.35 ? commonSurnames : surnames, person, 3);
  const common = chance(person, 13) < 0.5;
  const first = pick(female ? (common ? commonWomen : women) : common ? commonMen : men, person, 4);
  const middle = String.fromCharCode(65 + Math.floor(chance(person, 5) * 26));
  const birth = `${1940 + Math.floor(chance(person, 6) * 75)}${two(1 + Math.floor(chance(person, 7) * 12))}${two(1 + Math.floor(chance(person, 8) * 28))}`;
  const [city, firstZip, county] = pick(places, person, 9);
  const zip = String(Number(firstZip) + Math.floor(chance(person, 14) * 40));
  const lab = n % 12;
  const panel = pick(panels, n, 10);
  const at = day(n);
  const clia = `11D${String(2_000_000 + lab)}`;
  const segments = [
    `MSH|^~\\&|LIS^2.16.840.1.113883.3.${lab}^ISO|Bench Laboratory ${lab}^${clia}^CLIA|CASEWAY|STATE|${at}1530-0500||ORU^R01^ORU_R01|BENCH-${n}|P|2.5.1`,
    `PID|1||MRN${person}^^^Bench Laboratory ${lab}^MR||${last}^${first}^${middle}||${birth}|${female ? 'F' : 'M'}||2106-3^White^HL70005|${1 + (person % 900)} ${pick(streets, person, 11)} St^^${city}^GA^${zip}^USA^H^^${county}||^PRN^PH^^1^404^${String(2_000_000 + (person % 7_000_000))}|||||||||2186-5^Not Hispanic^HL70189`,
    `ORC|RE|P${n}^LIS|F${n}^LIS|||||||||1215954030^Provider^Test^^^^^^NPI||^WPN^PH^^1^404^5550100|||||||Bench Clinic ${n % 40}^^^^^^^^^CLINIC${n % 40}|100 Clinic Way^^${city}^GA^${zip}`,
    `OBR|1|P${n}^LIS|F${n}^LIS|${panel.order}|||${at}0900-0500|||||||||1215954030^Provider^Test^^^^^^NPI||||||${at}1500-0500|||F`,
  ];
  panel.tests.forEach(([code, name], place) => {
    const positive = chance(n, 20 + place) < panel.positives;
    const value = positive ? '260373001^Detected^SCT' : '260415000^Not detected^SCT';
    segments.push(
      `OBX|${place + 1}|CWE|${code}^${name}^LN||${value}||Not detected|${positive ? 'A' : 'N'}|||F|||${at}0900-0500|||||${at}1400-0500||||Bench Laboratory ${lab}^^^^^CLIA^XX^^^${clia}`,
    );
  });
  segments.push(
    `SPM|1|^S${n}&LIS||258500001^Nasopharyngeal swab^SCT|||||||||||||${at}0900-0500|${at}1200-0500`,
  );
  return `${segments.join('\r')}\r`;
}
