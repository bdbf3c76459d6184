/** Laboratory messages about people who do not exist. */

export interface Person {
  last: string;
  first: string;
  birthDate: string;
  sex: 'F' | 'M';
  mrn: string;
  email?: string;
}

const loinc = '43304-5^Chlamydia trachomatis rRNA [Presence] in Specimen by NAA with probe detection^LN';

/**
 * HL7 v2.5.1 ELR of one NAAT for chlamydia, collected on a day (YYYYMMDD), with a SNOMED result. For a
 * laboratory with local codes, `test` replaces the LOINC code, and `value` the result.
 */
export function chlamydiaReport(
  id: string,
  person: Person,
  day: string,
  detected: boolean,
  test: string = loinc,
  value = detected ? '260373001^Detected^SCT' : '260415000^Not detected^SCT',
): string {
  return [
    `MSH|^~\\&|LABSYS^2.16.840.1.113883.19.1^ISO|Harbor Test Laboratory^10D0999901^CLIA|CASEWAY|HEALTHDEPT|${day}103000-0500||ORU^R01^ORU_R01|${id}|P|2.5.1|||NE|NE|USA|||||PHLabReport-NoAck^HL7^2.16.840.1.113883.9.11^ISO`,
    `PID|1||${person.mrn}^^^HARBOR&2.16.840.1.113883.19.2&ISO^MR||${person.last}^${person.first}^^^^^L||${person.birthDate}|${person.sex}||2106-3^White^CDCREC|500 Mangrove Ave^^Tampa^FL^33602^USA^H^^12057||^PRN^PH^^1^813^5550142${person.email ? `~^NET^Internet^${person.email}` : ''}|||||||||2186-5^Not Hispanic or Latino^CDCREC`,
    `ORC|RE|P${id}^LABSYS|F${id}^LABSYS|||||||||1234567893^Provider^Test^^^^^^NPI||^WPN^PH^^1^813^5550100|||||||Harbor Community Clinic^^^^^^XX^^^HCC1|1 Harbor Way^^Tampa^FL^33602^USA^B`,
    `OBR|1|P${id}^LABSYS|F${id}^LABSYS|${test}|||${day}090000-0500|||||||||1234567893^Provider^Test^^^^^^NPI||||||${day}100000-0500|||F`,
    `OBX|1|CWE|${test}||${value}||||||F|||${day}090000-0500|||||${day}100000-0500||||Harbor Test Laboratory^^^^^CLIA^XX^^^10D0999901|9 Bay Rd^^Tampa^FL^33602`,
    `SPM|1|^S${id}||122575003^Urine specimen^SCT|||||||||||||${day}090000-0500|${day}093000-0500`,
    '',
  ].join('\r');
}

/** A message that is not a laboratory report: an admission. */
export const admission = (id: string, day: string): string =>
  [
    `MSH|^~\\&|ADMIT|Harbor Community Clinic|CASEWAY|HEALTHDEPT|${day}103000||ADT^A01^ADT_A01|${id}|P|2.5.1`,
    'PID|1||A1^^^HARBOR^MR||Invented^Person||19700101|F',
    '',
  ].join('\r');
