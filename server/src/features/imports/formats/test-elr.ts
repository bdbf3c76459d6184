import type { LabReport } from '../../reported/report.ts';
import { type ReadMessage, readHl7Report } from './elr.ts';

const clock = { timeZone: 'America/Denver' };
export const read = (text: string, line = 1): ReadMessage => readHl7Report(Buffer.from(text), line, clock);

/** A segment from its fields by number. MSH-1 is the separator, so its fields are numbered as written. */
export function segment(id: string, fields: Record<number, string>): string {
  const last = Math.max(...Object.keys(fields).map(Number));
  const values = Array.from({ length: last }, (_, at) => fields[at + 1] ?? '');
  return [id, ...(id === 'MSH' ? values.slice(1) : values)].join('|');
}

const voss = '1234567893^Voss^Idris^^^Dr^^^NPI&2.16.840.1.113883.4.6&ISO^L^^^NPI';
const filler = 'F-200^NORTHLAB^2.16.840.1.113883.3.9999.1^ISO';

/** A report that follows the ELR guide (HL7 2.5.1), about a fictional person. Parts can be replaced. */
export const parts = {
  msh: segment('MSH', {
    2: '^~\\&',
    3: 'NORTHLAB^2.16.840.1.113883.3.9999.1^ISO',
    4: 'North Hill Laboratory^06D9999999^CLIA',
    5: 'CASEWAY',
    6: 'STATE',
    7: '20240305101500-0700',
    9: 'ORU^R01^ORU_R01',
    10: 'NH-0001',
    11: 'P',
    12: '2.5.1',
    21: 'PHLabReport-NoAck^HL7^2.16.840.1.113883.9.11^ISO',
  }),
  sft: 'SFT|Northsoft|4.2|Northsoft LIS|4.2.1||20230101',
  pid: segment('PID', {
    1: '1',
    3: 'MR-4471^^^NORTHLAB&2.16.840.1.113883.3.9999.1&ISO^MR',
    5: 'Quillfeather^Ottoline^Rae^Jr^^^L~Marsh^Ottoline^^^^^M',
    6: 'Tarn^Beda^^^^^M',
    7: '19870214',
    8: 'F',
    10: '2106-3^White^CDCREC~2028-9^Asian^CDCREC',
    11: '77 Larch Road^Unit 4^Greeley^CO^80631^USA^H^^08123',
    13: '^PRN^PH^^1^970^5550144~^NET^Internet^ottoline@example.test',
    15: 'es^Spanish^ISO6392',
    22: 'N^Not Hispanic or Latino^HL70189',
    30: 'N',
  }),
  nk1: 'NK1|1|Quillfeather^Anselm^^^^^L|SPO^Spouse^HL70063||^PRN^PH^^1^970^5550145',
  pv1: segment('PV1', {
    1: '1',
    2: 'O',
    3: 'CLINIC 3^^^North Hill',
    19: 'V-88^^^NORTHLAB^VN',
    44: '20240304',
    45: '20240304',
  }),
  orc: segment('ORC', {
    1: 'RE',
    2: 'P-100^EHR',
    3: filler,
    12: voss,
    14: '^WPN^PH^^1^970^5550150',
    21: 'Larch Clinic^L^^^^CLIA&2.16.840.1.113883.4.7&ISO^XX^^^06D8888888',
    22: '1 Main St^^Greeley^CO^80631',
    23: '^WPN^PH^^1^970^5550151',
    24: '2 Main St^^Greeley^CO^80631',
  }),
  obr: segment('OBR', {
    1: '1',
    2: 'P-100^EHR',
    3: filler,
    4: '64017-7^Chlamydia and gonorrhoea panel^LN^GCCT^GC/CT^L',
    7: '20240304091500-0700',
    13: 'Screening',
    16: voss,
    17: '^WPN^PH^^1^970^5550150',
    22: '20240305093000-0700',
    25: 'F',
    31: 'Z11.3^Encounter for screening^I10',
  }),
  obx: segment('OBX', {
    1: '1',
    2: 'CWE',
    3: '43304-5^C. trachomatis rRNA^LN^CT^Chlamydia^L',
    4: '1',
    5: '10828004^Positive^SCT^POS^Pos^L^^^POSITIVE',
    7: 'Negative',
    8: 'A^Abnormal^HL70078',
    11: 'F',
    14: '20240304091500-0700',
    17: 'NAAT^Nucleic acid test^L',
    18: 'DEV-9^PantherX',
    19: '20240305091000-0700',
    23: 'North Hill Laboratory^L^^^^CLIA&2.16.840.1.113883.4.7&ISO^XX^^^06D9999999',
    24: '5 Hill St^^Greeley^CO^80631',
    25: '1234567893^Head^Lab',
  }),
  nte: 'NTE|1|L|Report to the health department.~Call with questions.',
  spm: segment('SPM', {
    1: '1',
    2: 'S-1&EHR^S-300&NORTHLAB&2.16.840.1.113883.3.9999.1&ISO',
    4: '122575003^Urine specimen^SCT',
    7: 'CCV^Clean catch^L',
    8: '78291004^Urethra^SCT',
    11: 'P',
    17: '20240304091500-0700^20240304091700-0700',
    18: '20240304150000-0700',
  }),
};
export const message = (replaced: Partial<Record<keyof typeof parts, string>> = {}, after = ''): string =>
  [...Object.values({ ...parts, ...replaced }).filter((part) => part !== ''), after].join('\r');

export function report(text: string): LabReport {
  const result = read(text);
  if (result.outcome !== 'usable') throw new Error(JSON.stringify(result.faults));
  return result.report;
}
export const faults = (text: string) =>
  read(text).faults.map((fault) => [fault.severity, fault.code, fault.place, fault.line]);
export const observation = (obx: string) => report(message({ obx, nte: '' })).orders[0]!.observations[0]!;
/** An OBX with this value type and value. */
export const valued = (type: string, value: string, units = '') =>
  observation(`OBX|1|${type}|43304-5^Test^LN||${value}|${units}|||||F`);
