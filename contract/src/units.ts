import { type Labelled, labelIn } from './label.ts';

/**
 * Units of measure by UCUM code, with the sign printed on reports and the words people read. Reviewed with
 * the patient explanations; see docs/patient-explanations.md. An unknown unit is shown as received.
 */
export interface Unit extends Labelled {
  /** UCUM, case sensitive. */
  code: string;
  /** As printed on reports. */
  sign: string;
  /** Other spellings laboratories use. */
  also?: readonly string[];
}

const unit = (code: string, sign: string, label: string, es: string, ht: string, also?: string[]): Unit => ({
  code,
  sign,
  label,
  labelI18N: { es, ht, ...british(label) },
  ...(also ? { also } : {}),
});
const british = (label: string): Record<string, string> => {
  const text = label.replaceAll('liter', 'litre').replaceAll('meter', 'metre');
  return text === label ? {} : { 'en-GB': text };
};

export const units: readonly Unit[] = [
  unit('ug/dL', 'µg/dL', 'micrograms per deciliter', 'microgramos por decilitro', 'mikwogram pa desilit', [
    'mcg/dL',
  ]),
  unit('ug/L', 'µg/L', 'micrograms per liter', 'microgramos por litro', 'mikwogram pa lit', ['mcg/L']),
  unit('ug/mL', 'µg/mL', 'micrograms per milliliter', 'microgramos por mililitro', 'mikwogram pa mililit', [
    'mcg/mL',
  ]),
  unit('mg/dL', 'mg/dL', 'milligrams per deciliter', 'miligramos por decilitro', 'miligram pa desilit'),
  unit('mg/L', 'mg/L', 'milligrams per liter', 'miligramos por litro', 'miligram pa lit'),
  unit('g/dL', 'g/dL', 'grams per deciliter', 'gramos por decilitro', 'gram pa desilit'),
  unit('g/L', 'g/L', 'grams per liter', 'gramos por litro', 'gram pa lit'),
  unit('ng/mL', 'ng/mL', 'nanograms per milliliter', 'nanogramos por mililitro', 'nanogram pa mililit'),
  unit('pg/mL', 'pg/mL', 'picograms per milliliter', 'picogramos por mililitro', 'pikogram pa mililit'),
  unit('pg', 'pg', 'picograms', 'picogramos', 'pikogram'),
  unit('fL', 'fL', 'femtoliters', 'femtolitros', 'femtolit'),
  unit('umol/L', 'µmol/L', 'micromoles per liter', 'micromoles por litro', 'mikwomòl pa lit'),
  unit('nmol/L', 'nmol/L', 'nanomoles per liter', 'nanomoles por litro', 'nanomòl pa lit'),
  unit('mmol/L', 'mmol/L', 'millimoles per liter', 'milimoles por litro', 'milimòl pa lit'),
  unit(
    'm[IU]/mL',
    'mIU/mL',
    'milli-international units per milliliter',
    'miliunidades internacionales por mililitro',
    'mili inite entènasyonal pa mililit',
    ['mIU/mL', 'm[iU]/mL'],
  ),
  unit(
    '[IU]/mL',
    'IU/mL',
    'international units per milliliter',
    'unidades internacionales por mililitro',
    'inite entènasyonal pa mililit',
    ['IU/mL', '[iU]/mL'],
  ),
  unit(
    '[IU]/L',
    'IU/L',
    'international units per liter',
    'unidades internacionales por litro',
    'inite entènasyonal pa lit',
    ['IU/L', '[iU]/L'],
  ),
  unit(
    'k[IU]/mL',
    'kIU/mL',
    'thousand international units per milliliter',
    'miles de unidades internacionales por mililitro',
    'mil inite entènasyonal pa mililit',
    ['kIU/mL'],
  ),
  unit(
    '{Log_IU}/mL',
    'log IU/mL',
    'international units per milliliter, as a logarithm',
    'unidades internacionales por mililitro, en logaritmo',
    'inite entènasyonal pa mililit, an logaritm',
    ['log10 IU/mL', '{log_IU}/mL', 'log [IU]/mL', 'log10 [IU]/mL'],
  ),
  unit('{copies}/mL', 'copies/mL', 'copies per milliliter', 'copias por mililitro', 'kopi pa mililit', [
    'copies/mL',
    '{copy}/mL',
    'cp/mL',
    '{cp}/mL',
    '{Copies}/mL',
    '[copies]/mL',
  ]),
  unit(
    '{Log_copies}/mL',
    'log copies/mL',
    'copies per milliliter, as a logarithm',
    'copias por mililitro, en logaritmo',
    'kopi pa mililit, an logaritm',
    ['log10 copies/mL', 'log copies/mL', '{log_copies}/mL', 'log10 cp/mL', 'log cp/mL'],
  ),
  unit('U/mL', 'U/mL', 'units per milliliter', 'unidades por mililitro', 'inite pa mililit'),
  unit('U/L', 'U/L', 'units per liter', 'unidades por litro', 'inite pa lit'),
  unit(
    "[arb'U]/mL",
    'AU/mL',
    'arbitrary units per milliliter',
    'unidades arbitrarias por mililitro',
    'inite abitrè pa mililit',
    ['AU/mL', '{AU}/mL', '[AU]/mL'],
  ),
  unit(
    '{BAU}/mL',
    'BAU/mL',
    'binding antibody units per milliliter',
    'unidades de unión de anticuerpos por mililitro',
    'inite antikò ki kole pa mililit',
    ['BAU/mL', '[BAU]/mL'],
  ),
  unit('{s_co_ratio}', 'S/CO', 'times the cutoff', 'veces el valor de corte', 'fwa limit la', [
    's/co',
    '{S/CO}',
    'S/CO ratio',
    's/co ratio',
    '{s/co_ratio}',
    '{s_co}',
  ]),
  unit('{index_val}', 'index', 'index', 'índice', 'endèks', [
    '{index}',
    'index',
    '{Index_val}',
    '{index_value}',
    'index value',
  ]),
  unit('{ISR}', 'ISR', 'ratio', 'razón', 'rapò', ['{ratio}', 'ratio', '{Ratio}']),
  unit('{ct_value}', 'Ct', 'cycles (Ct)', 'ciclos (Ct)', 'sik (Ct)', [
    '{Ct}',
    'Ct',
    '{Ct_value}',
    '{cycles}',
  ]),
  unit('/uL', '/µL', 'per microliter', 'por microlitro', 'pa mikwolit', ['/mcL', '/mm3', '{cells}/mcL']),
  unit('{cells}/uL', 'cells/µL', 'cells per microliter', 'células por microlitro', 'selil pa mikwolit', [
    'cells/uL',
    'cells/mcL',
    'cells/mm3',
    '{Cells}/uL',
  ]),
  unit('10*3/uL', '×10³/µL', 'thousand per microliter', 'miles por microlitro', 'mil pa mikwolit', [
    'K/uL',
    'x10E3/uL',
    '10^3/uL',
    'Thousand/uL',
    'x10(3)/mcL',
  ]),
  unit('10*6/uL', '×10⁶/µL', 'million per microliter', 'millones por microlitro', 'milyon pa mikwolit', [
    'M/uL',
    'x10E6/uL',
    '10^6/uL',
    'Million/uL',
  ]),
  unit('{CFU}/mL', 'CFU/mL', 'colonies per milliliter', 'colonias por mililitro', 'koloni pa mililit', [
    'CFU/mL',
    '[CFU]/mL',
    'cfu/mL',
  ]),
  unit('%', '%', 'percent', 'por ciento', 'pousan', ['percent', '{percent}']),
  unit('s', 's', 'seconds', 'segundos', 'segonn', ['sec']),
  unit('min', 'min', 'minutes', 'minutos', 'minit'),
  unit('h', 'h', 'hours', 'horas', 'èdtan'),
  unit('d', 'd', 'days', 'días', 'jou'),
  unit('wk', 'wk', 'weeks', 'semanas', 'semèn'),
  unit('mo', 'mo', 'months', 'meses', 'mwa'),
  unit('a', 'y', 'years', 'años', 'ane'),
  unit('kg', 'kg', 'kilograms', 'kilogramos', 'kilogram'),
  unit('[lb_av]', 'lb', 'pounds', 'libras', 'liv', ['lb', 'lbs']),
  unit('cm', 'cm', 'centimeters', 'centímetros', 'santimèt'),
  unit('mm', 'mm', 'millimeters', 'milímetros', 'milimèt'),
  unit('[in_i]', 'in', 'inches', 'pulgadas', 'pous', ['in']),
  unit(
    'kg/m2',
    'kg/m²',
    'kilograms per square meter',
    'kilogramos por metro cuadrado',
    'kilogram pa mèt kare',
  ),
  unit('Cel', '°C', 'degrees Celsius', 'grados Celsius', 'degre Sèlsiyis', ['°C', 'C']),
  unit('[degF]', '°F', 'degrees Fahrenheit', 'grados Fahrenheit', 'degre Farennayt', ['°F', 'F']),
  unit('mm[Hg]', 'mmHg', 'millimeters of mercury', 'milímetros de mercurio', 'milimèt mèki', [
    'mmHg',
    'mm Hg',
  ]),
  unit('/min', '/min', 'per minute', 'por minuto', 'pa minit', ['{beats}/min', '{breaths}/min', 'bpm']),
];

/** Codes that mark a number as a titer, which is written as one and needs no unit. */
const titerUnits = ['{titer}', 'titer', '{titre}', 'titre', '{dilution}', '{dil}', 'dils', '{dils}'];

const exactly = new Map(
  units.flatMap((one) => [one.code, one.sign, ...(one.also ?? [])].map((name) => [name, one])),
);
const fold = (text: string) => text.toLowerCase().replaceAll(/\s/g, '').replaceAll(/[µμ]/g, 'u');
const folded = new Map<string, Unit | null>();
for (const [name, one] of exactly) {
  const known = folded.get(fold(name));
  // Some units differ only in capital letters, so these count.
  folded.set(fold(name), known === undefined || known === one ? one : null);
}

/** The unit someone wrote; undefined if unknown. */
export const unitOf = (written: string): Unit | undefined =>
  exactly.get(written.trim()) ?? folded.get(fold(written)) ?? undefined;

export const isTiterUnit = (written: string): boolean => titerUnits.includes(written.trim().toLowerCase());

/** Whether two spellings mean the same unit. */
export function isSameUnit(one: string, other: string): boolean {
  const [a, b] = [unitOf(one), unitOf(other)];
  return a && b ? a === b : fold(one) === fold(other);
}

/** A unit in words, in a language; an unknown unit is shown as received, without UCUM's braces. */
export function unitInWords(written: string, language: string): string {
  const known = unitOf(written);
  if (known) return labelIn(known, language);
  const text = written.trim();
  return /^\{[^{}]*\}$/.test(text) ? text.slice(1, -1).replaceAll('_', ' ') : text;
}
