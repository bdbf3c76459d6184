import { laboratoryTests } from '../reference/catalog.ts';

/*
 * The tests that show care for HIV: viral loads and CD4 counts of blood. Source: CDC, Monitoring selected national
 * HIV prevention and care objectives.
 */

const ofBlood = laboratoryTests.filter(
  ({ family, site }) => family === 'hiv' && (site ?? 'blood') === 'blood',
);
const listed = (tests: readonly { loinc: string }[]) => tests.map(({ loinc }) => `'${loinc}'`).join(', ');
const viralLoads = ofBlood.filter(({ method }) => method === 'viral-load');

const isViralLoad = `r.test_loinc in (${listed(viralLoads)})`;
const isLogarithm = `r.test_loinc in (${listed(viralLoads.filter(({ component }) => component.includes('logarithm')))})`;

/** Whether the result `r` is one of them, and has an answer. */
export const isCare = `r.superseded_by is null and r.status <> 'withdrawn'
  and r.result_category not in ('pending', 'not-done', 'unsatisfactory', 'invalid')
  and r.test_loinc in (${listed(ofBlood.filter(({ method }) => method === 'viral-load' || method === 'quantity'))})`;

/** Below 200 copies per milliliter: not detected, or a number below 200, or "less than" at most 200. */
const isSuppressed = `case when r.result_category = 'negative' then true
    when r.value_comparator in ('>', '>=') then false
    else coalesce(case when ${isLogarithm} then power(10, r.value_number) else r.value_number end
      < case when r.value_comparator in ('<', '<=') then 200.5 else 200 end, false) end`;

/**
 * Whether the last viral load of some results is suppressed; false without any. `only`: the condition for the rows.
 */
export const lastIsSuppressed = (only: string): string =>
  `coalesce((array_agg(${isViralLoad} and ${isSuppressed} order by ${isViralLoad} desc, r.collected_on desc,
    r.resulted_at desc nulls last, r.id)${only})[1], false)`;

/** How many days ago a positive test must be to differ from the one that is being confirmed. */
const daysToConfirm = 30;

/** Whether the result `r` shows that its person was known to have HIV on a day: a positive test, or a viral load. */
export const knowsHiv = (day: string): string =>
  `r.collected_on < ${day} - ${daysToConfirm}
    and (r.result_category = 'positive' and ${asksForHiv('r')}
      or r.method = 'viral-load' and r.result_category in ('positive', 'quantitative'))`;

/** Whether a test is for HIV infection, by the alias of the result. */
export const asksForHiv = (r: string): string =>
  `${r}.disease_family = 'hiv' and coalesce(${r}.method, '') not in ('viral-load', 'quantity', 'genotype', 'resistance')`;
