import { foldUpper } from '../../platform/text/fold.ts';
import { codeIn } from '../reported/coding.ts';
import type { Age, Answer, CodedValue, NumericValue, Question } from '../reported/report.ts';

/** LOINC code of an order with information about the case instead of results. */
export const epidemiologicalInformation = '68991-9';

/** Questions asked at order entry, by LOINC number. An OBX with one of them is an answer, never a result. */
const questions: Record<string, Question> = {
  '30525-0': 'age',
  '35659-2': 'age',
  '29553-5': 'age',
  '21612-7': 'age',
  '95419-8': 'symptomatic',
  '65222-2': 'onset',
  '11368-8': 'onset',
  '75325-1': 'symptoms',
  '82810-3': 'pregnant',
  '77996-7': 'pregnant',
  '11449-6': 'pregnant',
  '77974-4': 'hospitalized',
  '95420-6': 'intensive-care',
  '95421-4': 'congregate-setting',
  '75617-1': 'residence-type',
  '95418-0': 'healthcare-worker',
  '95417-2': 'first-test',
  '85658-3': 'occupation',
  '11294-6': 'occupation',
  '21843-8': 'occupation',
  '76691-5': 'gender-identity',
  '76690-7': 'sexual-orientation',
  '77978-5': 'died',
};

/** The question for a code, if it is one of the above. */
export function questionOf(code: CodedValue): Question | undefined {
  const loinc = codeIn(code, 'LN');
  return loinc === undefined ? undefined : questions[loinc];
}

const units: Record<string, Age['unit']> = {
  a: 'a',
  y: 'a',
  yr: 'a',
  yrs: 'a',
  year: 'a',
  years: 'a',
  ano: 'a',
  anos: 'a',
  mo: 'mo',
  mos: 'mo',
  mon: 'mo',
  month: 'mo',
  months: 'mo',
  mes: 'mo',
  meses: 'mo',
  wk: 'wk',
  wks: 'wk',
  week: 'wk',
  weeks: 'wk',
  semana: 'wk',
  semanas: 'wk',
  d: 'd',
  day: 'd',
  days: 'd',
  dia: 'd',
  dias: 'd',
  h: 'h',
  hr: 'h',
  hour: 'h',
  hours: 'h',
  min: 'min',
  minute: 'min',
  minutes: 'min',
};

/** The UCUM unit of age for a word, in English or Spanish; undefined for any other word. */
export const ageUnitOf = (text: string): Age['unit'] | undefined => units[foldUpper(text).toLowerCase()];

const longest: Record<Age['unit'], number> = {
  a: 130,
  mo: 1560,
  wk: 6800,
  d: 47_500,
  h: 1_140_000,
  min: 68_400_000,
};

/** Whether an age can be a living person's. */
export const isPlausibleAge = (age: Age): boolean => age.value >= 0 && age.value <= longest[age.unit];

/** The age stated among answers: the first number with a unit of time (years without a unit). */
export function ageOf(answers: readonly Answer[]): Age | undefined {
  for (const answer of answers) {
    if (answer.question !== 'age') continue;
    for (const value of answer.values) {
      let numeric: NumericValue | undefined;
      if (value.kind === 'numeric' || value.kind === 'text') numeric = value.numeric;
      // In a CWE, the number is in place of the code.
      else if (value.kind === 'coded' && /^\d{1,3}$/.test(value.coded.codes[0]?.code ?? '')) {
        numeric = { number: Number(value.coded.codes[0]!.code) };
      }
      if (numeric === undefined) continue;
      const said = answer.units?.code ?? answer.units?.text;
      const unit = said === undefined ? 'a' : (ageUnitOf(said) ?? ageUnitOf(answer.units?.text ?? ''));
      if (unit === undefined) continue;
      const age = { value: numeric.number, unit };
      if (isPlausibleAge(age)) return age;
    }
  }
  return undefined;
}
