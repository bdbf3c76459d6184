import type { CriterionLine } from '@caseway/contract/case-rules';

/**
 * The parts of a criterion's text: texts of `case-rules`, labels of the list `sex`, and formatted numbers.
 */
interface Words {
  t: (key: string, values: Record<string, string>) => string;
  sex: (code: string) => string;
  number: (value: number) => string;
}

/** A line of an explanation in words, never with a code in it. */
export function criterionText({ kind, what = [], number }: CriterionLine, words: Words): string {
  const nameOf = (code: string) => {
    switch (kind) {
      case 'sex':
        return words.sex(code);
      case 'fact':
        return words.t(`case-rules:fact.${code}`, {});
      case 'place':
        return words.t(`case-rules:place.${code}`, {});
      default:
        return words.t(`case-rules:test.${code}`, {});
    }
  };
  return words.t(`case-rules:kind.${kind}`, {
    what: what.map(nameOf).join(', '),
    number: number === undefined ? '' : words.number(number),
  });
}
