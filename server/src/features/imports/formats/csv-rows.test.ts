import { csvMapping, csvOptions } from '@caseway/contract/csv-mapping';
import { describe, expect, it } from 'vitest';
import type { CaseReportRow, LabReport } from '../../reported/report.ts';
import { resultKeys } from '../../results/result-key.ts';
import { inspectCsv, mappingFrom } from './csv-map.ts';
import { readCsv } from './csv-read.ts';
import type { ReadRow } from './csv-rows.ts';
import { RowReader } from './csv-rows.ts';

async function rows(
  text: string,
  given: {
    condition?: string;
    dateOrders?: Record<string, 'dmy' | 'mdy'>;
    constants?: Record<string, string>;
  } = {},
): Promise<ReadRow[]> {
  const open = async function* () {
    yield Buffer.from(text);
  };
  const inspection = await inspectCsv(open);
  if ('code' in inspection) throw new Error(inspection.code);
  const mapping = csvMapping.parse({
    ...mappingFrom(inspection.suggestion),
    constants: given.constants ?? {},
  });
  const options = csvOptions.parse({ condition: given.condition, dateOrders: given.dateOrders ?? {} });
  const reader = new RowReader({
    mapping,
    options,
    inspection,
    timeZone: 'America/Chicago',
    sender: 'upload',
  });
  const read: ReadRow[] = [];
  for await (const item of readCsv(open, inspection.dialect))
    if (item.kind === 'row') read.push(reader.read(item.cells, item.line));
  return read;
}
async function report(text: string, given?: Parameters<typeof rows>[1]): Promise<LabReport> {
  const [row] = await rows(text, given);
  if (row?.outcome !== 'usable' || !('report' in row)) throw new Error(JSON.stringify(row?.faults));
  return row.report;
}
async function cases(
  text: string,
  given: Parameters<typeof rows>[1] = { condition: 'Measles' },
): Promise<CaseReportRow[]> {
  return (await rows(text, given)).flatMap((row) =>
    row.outcome === 'usable' && 'caseRow' in row ? [row.caseRow] : [],
  );
}
const faultsOf = (read: ReadRow[]) =>
  read.map((row) => row.faults.map((fault) => [fault.severity, fault.code, fault.place, fault.line]));

/** One row from its columns. */
const table = (...records: Record<string, string>[]): string => {
  const header = Object.keys(records[0]!);
  const cell = (value: string) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  return [header, ...records.map((record) => header.map((name) => record[name] ?? ''))]
    .map((line) => line.map(cell).join(','))
    .join('\n');
};

const upload = {
  patient_id: 'P-7',
  patient_last_name: 'Fenwick',
  patient_first_name: 'Odalys',
  patient_middle_name: 'M',
  patient_dob: '2/9/1990',
  patient_gender: 'F',
  patient_race: '2106-3',
  patient_ethnicity: 'Not Hispanic or Latino',
  patient_street: '9 Birch Lane',
  patient_city: 'Mobile',
  patient_state: 'AL',
  patient_zip_code: '36602',
  patient_county: 'Mobile',
  patient_phone_number: '251-555-0100',
  patient_email: 'odalys@example.test',
  accession_number: 'ACC-1',
  equipment_model_name: 'Reader X*',
  test_performed_code: '94534-5',
  test_result: 'Detected',
  order_test_date: '12/20/2021 8:00',
  specimen_collection_date: '12/20/2021 9:00 EST',
  testing_lab_specimen_received_date: '12/20/2021 14:00',
  test_result_date: '12/21/2021 10:00',
  date_result_released: '12/21/2021 11:00',
  specimen_type: '445297001',
  ordering_provider_id: '1234567893',
  ordering_provider_last_name: 'Voss',
  ordering_provider_first_name: 'Idris',
  ordering_provider_phone_number: '251-555-0111',
  testing_lab_clia: '01D1058442',
  testing_lab_name: 'Bay Lab',
  pregnant: 'N',
  symptomatic_for_disease: 'Y',
  illness_onset_date: '12/18/2021',
  ordering_facility_name: 'Bay Clinic',
  comment: 'none of note',
  test_result_status: 'F',
};

describe('a row of results becomes the same report as a message', () => {
  it('with a given name that programs also write for nothing', async () => {
    const nil = { ...upload, patient_first_name: 'Nil', patient_middle_name: 'N/A' };
    const { patient } = await report(table(nil));
    expect(patient.names).toEqual([{ family: 'Fenwick', given: 'Nil' }]);
  });

  it('with patient, order, specimen, result and answers', async () => {
    const made = await report(table(upload));
    expect(made).toMatchObject({
      header: {
        format: 'csv',
        type: 'row',
        sendingFacility: { name: 'Bay Lab', id: '01D1058442', idType: 'CLIA' },
        processingId: 'P',
      },
      patient: {
        identifiers: [{ value: 'P-7', type: 'PI' }],
        names: [{ family: 'Fenwick', given: 'Odalys', middle: 'M' }],
        birth: { day: '1990-02-09' },
        sex: 'F',
        races: [{ cdc: '2106-3' }],
        ethnicities: [{ cdc: '2186-5' }],
        addresses: [{ street: '9 Birch Lane', city: 'Mobile', state: 'AL', zip: '36602', county: 'Mobile' }],
        phones: [{ e164: '+12515550100' }],
        emails: ['odalys@example.test'],
      },
      orders: [
        {
          filler: { value: 'ACC-1' },
          provider: { npi: '1234567893', name: { family: 'Voss' } },
          facility: { name: 'Bay Clinic' },
          collected: { instant: '2021-12-20T14:00:00.000Z' },
          specimens: [
            {
              type: { codes: [{ code: '445297001', inferred: 'SCT' }] },
              received: { instant: '2021-12-20T20:00:00.000Z' },
            },
          ],
          observations: [
            {
              test: { codes: [{ code: '94534-5', system: 'LN' }] },
              values: [{ kind: 'text', text: 'Detected' }],
              status: 'F',
              device: { name: 'Reader X*' },
              analysed: { instant: '2021-12-21T16:00:00.000Z' },
              performer: { name: 'Bay Lab', clia: '01D1058442' },
              notes: ['none of note'],
              source: 'row',
              line: 2,
            },
          ],
        },
      ],
    });
    expect(made.orders[0]!.answers.map((answer) => [answer.question, answer.values[0]])).toMatchObject([
      ['symptomatic', { coded: { text: 'Y' } }],
      ['pregnant', { coded: { text: 'N' } }],
      ['onset', { time: { day: '2021-12-18' } }],
    ]);
  });

  it('with a SNOMED result as a code', async () => {
    const { orders } = await report(table({ ...upload, test_result: '260373001' }));
    expect(orders[0]!.observations[0]!.values).toMatchObject([
      { kind: 'coded', coded: { codes: [{ code: '260373001', system: 'SCT' }] } },
    ]);
  });

  it('with the same key for the same accession, and another for another test', async () => {
    const key = async (changed: Partial<typeof upload>) =>
      resultKeys(await report(table({ ...upload, ...changed })))[0]![0]!.key;
    const first = await key({});
    expect(await key({ test_result: 'Not Detected', test_result_status: 'C' })).toBe(first);
    expect(await key({ test_performed_code: '80382-5' })).not.toBe(first);
    expect(await key({ accession_number: 'ACC-2' })).not.toBe(first);
  });

  it('with a value for the whole file if a column is missing', async () => {
    const made = await report('last_name,first_name,result\nReed,Nell,neg\n', {
      constants: { testName: 'HIV 1+2' },
    });
    expect(made.orders[0]!.observations[0]!.test.text).toBe('HIV 1+2');
  });

  it.each<[string, Partial<typeof upload>, [string, string][]]>([
    ['no result', { test_result: '' }, [['value-required', 'test_result']]],
    [
      'no test',
      { test_performed_code: '', equipment_model_name: 'N/A' },
      [['value-required', 'test_performed_code']],
    ],
    [
      'no patient',
      { patient_id: '', patient_last_name: '', patient_first_name: 'unknown' },
      [['value-required', 'patient_last_name']],
    ],
  ])('%s: refused with its column and line', async (_name, changed, expected) => {
    const [row] = await rows(table({ ...upload, ...changed }));
    expect(row).toMatchObject({ outcome: 'refused' });
    expect(
      row!.faults.filter((fault) => fault.severity === 'error').map((fault) => [fault.code, fault.place]),
    ).toEqual(expected);
    expect(row!.faults.every((fault) => fault.line === 2)).toBe(true);
  });

  it('is refused when none of its dates can be read', async () => {
    const dates = {
      order_test_date: 'x',
      specimen_collection_date: 'x',
      testing_lab_specimen_received_date: '',
      test_result_date: 'x',
      date_result_released: '',
    };
    expect(faultsOf(await rows(table({ ...upload, ...dates })))).toEqual([
      [
        ['error', 'date-invalid', 'specimen_collection_date', 2],
        ['error', 'date-invalid', 'test_result_date', 2],
        ['error', 'date-invalid', 'order_test_date', 2],
      ],
    ]);
  });

  it.each<[string, Partial<typeof upload>, string[][]]>([
    ['a birth in the future', { patient_dob: '2/9/2190' }, [['date-in-future', 'patient_dob']]],
    [
      'a specimen of the future',
      { specimen_collection_date: '12/20/2091 9:00' },
      [['date-in-future', 'specimen_collection_date']],
    ],
    [
      'a specimen from before the birth',
      { specimen_collection_date: '2/7/1990 9:00' },
      [['date-before-birth', 'specimen_collection_date']],
    ],
  ])('%s waits to be corrected, with its column', async (_name, changed, expected) => {
    const [row] = await rows(table({ ...upload, ...changed }));
    expect(row).toMatchObject({ outcome: 'waiting', reason: expected[0]![0] });
    expect(row!.faults.map(({ severity, code, place }) => [severity, code, place])).toEqual(
      expected.map((fault) => ['waits', ...fault]),
    );
  });

  it.each<[string, Partial<typeof upload>, string[][]]>([
    ['an unreadable birth date', { patient_dob: '31/31/1990' }, [['date-invalid', 'patient_dob']]],
    [
      'a wrong check digit',
      { test_performed_code: '94534-6' },
      [['check-digit-wrong', 'test_performed_code']],
    ],
    [
      'an incomplete phone number',
      { patient_phone_number: '555-0100' },
      [['phone-invalid', 'patient_phone_number']],
    ],
    ['no email address', { patient_email: 'odalys' }, [['email-invalid', 'patient_email']]],
    ['no ZIP code', { patient_zip_code: 'ABC' }, [['zip-invalid', 'patient_zip_code']]],
    ['no CLIA number', { testing_lab_clia: 'BadCLIA' }, [['clia-invalid', 'testing_lab_clia']]],
    [
      'dates out of order',
      { testing_lab_specimen_received_date: '12/19/2021' },
      [['dates-out-of-order', 'testing_lab_specimen_received_date']],
    ],
    [
      'an answer from before the birth',
      { illness_onset_date: '01/01/1901' },
      [['date-implausible', 'illness_onset_date']],
    ],
    ['an unknown status', { test_result_status: 'Q' }, [['result-status-unknown', 'test_result_status']]],
    ['an unknown answer', { pregnant: 'perhaps' }, [['value-unknown', 'pregnant']]],
    [
      'control characters',
      { patient_last_name: 'O\x19Fenwick' },
      [['control-characters', 'patient_last_name']],
    ],
  ])('%s is a warning with its column', async (_name, changed, expected) => {
    const [row] = await rows(table({ ...upload, ...changed }));
    expect(row!.outcome).toBe('usable');
    expect(row!.faults.map((fault) => [fault.code, fault.place])).toEqual(expected);
  });

  it('restores characters that were turned into control characters', async () => {
    const made = await report(table({ ...upload, patient_last_name: 'O\x19Fenwick' }));
    expect(made.patient.names).toMatchObject([{ family: "O'Fenwick" }]);
  });

  it('restores the zeros that a spreadsheet removes from a ZIP code', async () => {
    expect((await report(table({ ...upload, patient_zip_code: '2139' }))).patient.addresses).toMatchObject([
      { zip: '02139' },
    ]);
  });
});

describe('a row of a line list becomes a case', () => {
  const messy = [
    {
      id: '1',
      case_name: 'Tamsin Okoro',
      case_type: 'confirmed',
      sex: 'Female',
      age: 'twenty-eight',
      date_onset: '31/01/2023',
      date_reporting: '15/02/2023',
      date_admission: 'NA',
      outcome: 'recovered',
      lat: '39.7',
      long: '-104.9',
      ct_value: '26.1',
    },
    {
      id: '2',
      case_name: 'Okoro, Tam',
      case_type: 'cinfirmed',
      sex: 'm',
      age: 'n /a',
      date_onset: '02 Feb 2023',
      date_reporting: 'Not Avail',
      date_admission: '16/02/2023',
      outcome: 'diqd',
      lat: '',
      long: '',
      ct_value: ' na',
    },
    {
      id: '3',
      case_name: '\\?',
      case_type: '#N/A',
      sex: '\\.',
      age: '999',
      date_onset: 'Sep /11/Y',
      date_reporting: '01/02/2023',
      date_admission: '',
      outcome: 'moved',
      lat: '95',
      long: '1',
      ct_value: '',
    },
  ];

  it('with messy values read and unknown ones left out', async () => {
    const [first, second, third] = await cases(table(...messy));
    expect(first).toMatchObject({
      line: 2,
      caseId: '1',
      name: { given: 'Tamsin', family: 'Okoro' },
      classification: 'confirmed',
      sex: 'F',
      age: { value: 28, unit: 'a' },
      onset: { day: '2023-01-31' },
      reported: { day: '2023-02-15' },
      outcome: 'recovered',
      condition: 'Measles',
      point: { latitude: 39.7, longitude: -104.9 },
      unmapped: { ct_value: '26.1' },
    });
    expect(first!.hospitalized).toBeUndefined();
    expect(second).toMatchObject({
      name: { given: 'Tam', family: 'Okoro' },
      classification: 'confirmed',
      classificationRaw: 'cinfirmed',
      sex: 'M',
      onset: { day: '2023-02-02' },
      hospitalized: { day: '2023-02-16' },
      wasHospitalized: true,
      outcome: 'died',
    });
    expect(second!.age).toBeUndefined();
    expect(third).toMatchObject({ caseId: '3', outcomeRaw: 'moved' });
    expect([third!.name, third!.sex, third!.age, third!.onset, third!.outcome, third!.point]).toEqual(
      Array(6).fill(undefined),
    );
  });

  it('with a warning for each value that was not read as it is', async () => {
    expect(faultsOf(await rows(table(...messy), { condition: 'Measles' }))).toEqual([
      [],
      [
        ['warning', 'value-misspelt', 'case_type', 3],
        ['warning', 'value-misspelt', 'outcome', 3],
      ],
      [
        ['warning', 'value-unknown', 'outcome', 4],
        ['warning', 'date-invalid', 'date_onset', 4],
        ['warning', 'number-invalid', 'lat', 4],
        ['warning', 'value-placeholder', 'age', 4],
      ],
    ]);
  });

  it('reads M as a woman if the column has H or V for men, and as a man if it has F for women', async () => {
    const list = (...letters: string[]) =>
      table(...letters.map((Sexo, at) => ({ 'id caso': String(at), Sexo, 'fecha de inicio': '2024-01-05' })));
    const sexes = async (...letters: string[]) => (await cases(list(...letters))).map((row) => row.sex);
    expect(await sexes('H', 'M', 'm')).toEqual(['M', 'F', 'F']);
    expect(await sexes('V', 'M')).toEqual(['M', 'F']);
    expect(await sexes('H', 'F')).toEqual(['M', 'F']);
    expect(await sexes('M', 'F')).toEqual(['M', 'F']);
    expect(await sexes('Gason', 'Fi', 'Féminin', 'Masculin')).toEqual(['M', 'F', 'F', 'M']);
  });

  it('keeps both surnames of a table that has a column for each', async () => {
    const given = table({
      'Apellido paterno': 'García',
      'Apellido materno': 'Márquez',
      Nombres: 'Gabriel José',
      Prueba: 'Chlamydia trachomatis rRNA',
      Resultado: 'Negativo',
      'Fecha de toma': '2026-02-25',
      Laboratorio: 'Hospital General',
    });
    expect((await report(given)).patient.names).toMatchObject([
      { family: 'García Márquez', given: 'Gabriel José' },
    ]);
  });

  it('knows the headings of a table in French and in Haitian Creole', async () => {
    const told = (text: string) =>
      report(text).then(({ patient, orders }) => ({
        name: patient.names[0],
        born: patient.birth?.day,
        sex: patient.sex,
        collected: orders[0]?.collected?.day,
      }));
    const wanted = {
      name: expect.objectContaining({ family: 'Désir', given: 'Wislène' }),
      born: '1991-07-13',
      sex: 'F',
      collected: '2026-03-22',
    };
    const values = [
      'Désir',
      'Wislène',
      '13/07/1991',
      'Fi',
      'SARS-CoV-2 RNA',
      'Pa detekte',
      '22/03/2026',
      'LNSP',
    ];
    const headed = (header: string) =>
      table(Object.fromEntries(header.split('|').map((name, at) => [name, values[at]!])));
    expect(
      await told(headed('Siyati|Non|Dat nesans|Sèks|Tès|Rezilta|Dat pran echantiyon|Laboratwa')),
    ).toEqual(wanted);
    expect(
      await told(
        headed(
          'Nom de famille|Prénom|Date de naissance|Sexe|Examen|Résultat|Date de prélèvement|Laboratoire',
        ),
      ),
    ).toEqual(wanted);
  });

  it('reads sex in digits by ISO 5218 only if a 2 shows that it is used', async () => {
    const list = (...codes: string[]) =>
      table(...codes.map((sex, at) => ({ 'case id': String(at), sex: sex, 'date onset': '2024-01-05' })));
    expect((await cases(list('1', '2', '9'))).map((row) => row.sex)).toEqual(['M', 'F', 'U']);
    expect((await cases(list('1', '0'))).map((row) => [row.sex, row.sexRaw])).toEqual([
      [undefined, '1'],
      [undefined, '0'],
    ]);
  });

  it('reads 99 as an age unless the column shows that it means missing', async () => {
    const list = (...ages: string[]) =>
      table(...ages.map((age, at) => ({ 'case id': String(at), age: age, 'date onset': '2024-01-05' })));
    expect((await cases(list('99', '98', '97'))).map((row) => row.age?.value)).toEqual([99, 98, 97]);
    expect((await cases(list('99', '99', '99', '34', '5'))).map((row) => row.age?.value)).toEqual([
      undefined,
      undefined,
      undefined,
      34,
      5,
    ]);
  });

  it('prefers the condition in its column to the chosen one', async () => {
    expect(
      (await cases(table({ 'case id': '1', disease: 'Mumps', 'date onset': '2024-01-05' }))).map(
        (row) => row.condition,
      ),
    ).toEqual(['Mumps']);
  });

  it('reads dates in the chosen order, and those that cannot be read so against it', async () => {
    const text = table(
      { 'case id': '1', 'date onset': '03/05/2024' },
      { 'case id': '2', 'date onset': '31/01/2024' },
    );
    const given = { condition: 'Measles', dateOrders: { 1: 'mdy' as const } };
    expect((await cases(text, given)).map((row) => row.onset?.day)).toEqual(['2024-03-05', '2024-01-31']);
    expect(faultsOf(await rows(text, given))[1]).toEqual([
      ['warning', 'date-against-order', 'date onset', 3],
    ]);
  });

  it('refuses an ambiguous date if nobody has chosen how to read it', async () => {
    expect(
      await rows(table({ 'case id': '1', 'date onset': '03/05/2024' }), { condition: 'Measles' }),
    ).toMatchObject([
      {
        outcome: 'refused',
        faults: [{ severity: 'error', code: 'date-order-unchosen', place: 'date onset', line: 2 }],
      },
    ]);
  });

  it('refuses a row without a known day, and keeps one whose date can be corrected', async () => {
    const read = await rows(
      table(
        { 'case id': '1', 'date onset': '', 'report date': 'NA', outcome: 'died' },
        { 'case id': '2', 'date onset': 'soon', 'report date': '', outcome: 'died' },
        { 'case id': '3', 'date onset': '', 'report date': '2024-01-05', outcome: 'died' },
        { 'case id': '4', 'date onset': '2099-01-05', 'report date': '', outcome: 'died' },
      ),
      { condition: 'Measles' },
    );
    expect(read.map(({ outcome }) => outcome)).toEqual(['refused', 'refused', 'usable', 'waiting']);
    expect(faultsOf(read)).toEqual([
      [['error', 'case-date-missing', 'date onset', 2]],
      [['error', 'date-invalid', 'date onset', 3]],
      [],
      [['waits', 'date-in-future', 'date onset', 5]],
    ]);
  });

  it('reads who is a case from yes and no, from words and from a classification', async () => {
    const list = async (header: string, ...said: string[]) =>
      (
        await rows(
          table(
            ...said.map((cell, at) => ({ 'case id': `K${at}`, 'date onset': '2024-01-05', [header]: cell })),
          ),
          { condition: 'Measles' },
        )
      ).map((row) => ('caseRow' in row ? (row.caseRow.classification ?? 'case') : row.faults.at(-1)!.code));
    expect(await list('ill', 'yes', 'no', 'Y', '0')).toEqual(['case', 'not-a-case', 'case', 'not-a-case']);
    expect(await list('case control', 'Case', 'Control', 'case', 'control', 'control', '')).toEqual([
      'case',
      'not-a-case',
      'case',
      'not-a-case',
      'not-a-case',
      'case-untold',
    ]);
    expect(await list('enfermo', 'sí', 'no', 'si', 'no', 'no', 'quizás')).toEqual([
      'case',
      'not-a-case',
      'case',
      'not-a-case',
      'not-a-case',
      'case-untold',
    ]);
    expect(await list('case status', 'confirmed', 'not a case', 'ruled out', 'ill', 'well')).toEqual([
      'confirmed',
      'not-a-case',
      'not-a-case',
      'unknown',
      'not-a-case',
    ]);
  });

  it('waits if two columns contradict each other about who is a case', async () => {
    const said = (ill: string, status: string) => ({
      'case id': '1',
      'date onset': '2024-01-05',
      ill,
      'case status': status,
    });
    const read = await rows(
      table(said('no', 'confirmed'), said('yes', 'not a case'), said('yes', 'probable'), said('', 'suspect')),
      { condition: 'Measles' },
    );
    expect(read.map((row) => ('caseRow' in row ? row.caseRow.classification : row.faults[0]!.code))).toEqual([
      'case-contradicted',
      'case-contradicted',
      'probable',
      'suspect',
    ]);
  });

  it('refuses a row that names no case and no person', async () => {
    expect(
      await rows(table({ 'case id': 'NA', 'date onset': '2024-01-05' }), { condition: 'Measles' }),
    ).toMatchObject([{ outcome: 'refused', faults: [{ code: 'value-required', place: 'case id' }] }]);
  });

  it('says nothing about a person in a fault', async () => {
    const text = table({
      'case id': '',
      name: '',
      phone: 'secretphone1',
      email: 'secretmail',
      'date onset': 'secretdate',
    });
    expect(JSON.stringify(faultsOf(await rows(text, { condition: 'Measles' })))).not.toMatch(/secret/);
  });
});
