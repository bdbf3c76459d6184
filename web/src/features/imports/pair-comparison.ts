import { cityLine, phoneShown } from '@caseway/contract/codes';
import {
  type KeptValue,
  keptValues,
  type MatchPart,
  type MatchPerson,
  matchParts,
  type PatientMatch,
  partsOfValue,
} from '@caseway/contract/matches';
import { useTranslation } from 'react-i18next';
import { useIdentifiers } from '../../data/use-identifiers.ts';
import { useLabels } from '../../data/use-labels.ts';
import { useFormats } from '../../words/formats.ts';

/** From this value on, a part agrees; below it, the two differ. */
const enough = 0.85;
export type Mark = 'agrees' | 'partly' | 'differs' | 'sameNumber' | 'sameUncounted';
/** How a part compares by its stored agreement. */
const markOfAgreement = (agreement: number): Mark =>
  agreement >= enough ? 'agrees' : agreement > 0 ? 'partly' : 'differs';

/** A part of both records: the texts of the older and the newer one, and how they compare. */
export interface ComparedPart {
  part: MatchPart;
  texts: readonly [string[], string[]];
  agrees: boolean;
  /** Both have a value, and the values differ, wholly or in part. */
  contradicts: boolean;
  /** How they compare; null if unknown. */
  mark: Mark | null;
  /** The value for which a merge must choose one, if they differ; at the first of its parts that differs. */
  choice: KeptValue | null;
}

/** The parts of a pair that at least one record has. */
export function useComparison(match: PatientMatch): ComparedPart[] {
  const textsOf = usePartTexts();
  const [older, newer] = [match.candidate, match.patient];
  const compared = matchParts.flatMap((part): Omit<ComparedPart, 'choice'>[] => {
    const texts = [textsOf(part, older), textsOf(part, newer)] as const;
    if (texts.every(({ length }) => length === 0)) return [];
    const mark = markOf(part, match.parts[part], texts, match);
    return [
      { part, texts, mark, agrees: mark === 'agrees', contradicts: mark === 'partly' || mark === 'differs' },
    ];
  });
  const choices = new Map(
    keptValues.flatMap((value) => {
      const own = compared.filter(({ part }) => partsOfValue[value].includes(part));
      const [mine, theirs] = ([0, 1] as const).map((side) => own.flatMap(({ texts }) => texts[side]));
      const different = own.find(({ texts }) => isUnlike(texts));
      return mine!.length > 0 && theirs!.length > 0 && different ? [[different.part, value] as const] : [];
    }),
  );
  return compared.map((one) => ({ ...one, choice: choices.get(one.part) ?? null }));
}

const isUnlike = ([one, other]: ComparedPart['texts']) => one.join(' ') !== other.join(' ');

function markOf(
  part: MatchPart,
  agreement: number | undefined,
  texts: ComparedPart['texts'],
  { state, candidate, patient }: PatientMatch,
): Mark | null {
  // After a merge the older record has what the newer one had, so only the stored comparison is true.
  if (state === 'same') return agreement === undefined ? null : markOfAgreement(agreement);
  const numbers = part === 'identifier' ? sharedNumbers([candidate, patient]) : null;
  // The comparison is from when the newer record arrived; the reader sees the current facts.
  if (numbers === 'of-one-place') return 'agrees';
  const mark = agreement === undefined ? null : markOfAgreement(agreement);
  // Equal values that were not counted say why; otherwise the mark would seem to be missing.
  if (numbers === 'alone' && mark !== 'agrees') return 'sameNumber';
  return mark ?? (texts[0].some((text) => texts[1].includes(text)) ? 'sameUncounted' : null);
}

/** The texts of a part of a person, one per line; empty for none. */
function usePartTexts(): (part: MatchPart, person: MatchPerson) => string[] {
  const { t } = useTranslation('imports');
  const formats = useFormats();
  const sexes = useLabels('sex');
  const identifierTexts = useIdentifiers();
  const texts: Record<MatchPart, (person: MatchPerson) => readonly (string | null)[]> = {
    identifier: ({ identifiers }) => identifierTexts(identifiers).map(({ kind, text }) => `${kind}: ${text}`),
    lastName: ({ lastName }) => [lastName],
    firstName: ({ firstName }) => [firstName],
    middleName: ({ middleName }) => [middleName],
    suffix: ({ suffix }) => [suffix],
    birthDate: ({ birthDate }) => [birthDate && formats.dayInWords(birthDate)],
    age: ({ bornFrom, bornTo }) => [
      bornFrom &&
        bornTo &&
        t('pairs.born', { from: formats.dayInWords(bornFrom), to: formats.dayInWords(bornTo) }),
    ],
    sex: ({ sex }) => [sex && sexes.of(sex)],
    phone: ({ phones }) => phones.map(phoneShown),
    address: ({ street, city, state, postalCode }) => [
      street,
      cityLine({ city, stateFips: state, postalCode }),
    ],
  };
  return (part, person) => texts[part](person).filter((text): text is string => text !== null && text !== '');
}

/**
 * Whether both sides have the same number of one kind: `of-one-place` if one place gave both; `alone` if two
 * places did, or unknown ones, because numbers of two clinics can be equal by chance.
 */
function sharedNumbers([one, other]: readonly [MatchPerson, MatchPerson]): 'of-one-place' | 'alone' | null {
  const numberOf = ({ kind, value }: MatchPerson['identifiers'][number]) =>
    `${kind} ${value.toUpperCase().replaceAll(/[\s-]/g, '')}`;
  const shared = one.identifiers.flatMap((mine) =>
    other.identifiers.filter((theirs) => numberOf(theirs) === numberOf(mine)).map((theirs) => [mine, theirs]),
  );
  if (shared.length === 0) return null;
  const ofOnePlace = shared.some(
    ([mine, theirs]) =>
      mine!.assigner !== '' && mine!.assigner.toLowerCase() === theirs!.assigner.toLowerCase(),
  );
  return ofOnePlace ? 'of-one-place' : 'alone';
}
