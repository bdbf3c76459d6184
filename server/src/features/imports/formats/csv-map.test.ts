import { caseRecord } from '@caseway/contract/case-record';
import { type CsvMapping, csvMapping, csvOptions } from '@caseway/contract/csv-mapping';
import { describe, expect, it } from 'vitest';
import type { CsvInspection } from './csv-map.ts';
import { headerSignature, inspectCsv, likely, mappingFrom, suggestMapping, undecided } from './csv-map.ts';

const options = csvOptions.parse({});
const open = (text: string) =>
  async function* () {
    yield Buffer.from(text);
  };
async function inspect(text: string): Promise<CsvInspection> {
  const result = await inspectCsv(open(text));
  if ('code' in result) throw new Error(result.code);
  return result;
}
const suggested = (header: string[]) =>
  Object.fromEntries(suggestMapping(header).columns.map((column) => [column.header, column.field]));
const waitsFor = (inspection: CsvInspection, given = options, mapping = mappingFrom(inspection.suggestion)) =>
  undecided(inspection, mapping, given).map((fault) => [fault.severity, fault.code, fault.place]);

describe('the meaning of columns', () => {
  it('is known for the upload format of SimpleReport and ReportStream', () => {
    const header =
      'patient_id,patient_last_name,patient_first_name,patient_dob,patient_gender,patient_race,patient_ethnicity,accession_number,equipment_model_name,test_performed_code,test_result,order_test_date,specimen_collection_date,testing_lab_specimen_received_date,test_result_date,date_result_released,specimen_type,testing_lab_clia,testing_lab_name,test_result_status,ordering_facility_name,icu'.split(
        ',',
      );
    const { kind, columns } = suggestMapping(header);
    expect(kind).toBe('results');
    expect(columns.map((column) => [column.field, column.confidence])).toEqual(
      'patientId lastName firstName birthDate sex race ethnicity accession device testCode result orderDate collectedDate receivedDate resultDate reportedDate specimenType labClia labName resultStatus facilityName intensiveCare'
        .split(' ')
        .map((field) => [field, 1]),
    );
  });

  it('is found in line lists by every name that the declaration of a case gives its fields', () => {
    const told = Object.entries(caseRecord.fields).flatMap(([name, { importedAs }]) =>
      importedAs === undefined ? [] : [[name, importedAs.split('|')] as const],
    );
    expect(told.map(([name]) => name).sort()).toEqual(
      'classification collectedOn condition externalId facility hospitalized onsetOn outcome pregnant reportedOn visitType'.split(
        ' ',
      ),
    );
    const meant: Record<string, string> = {
      collectedOn: 'collectedDate',
      externalId: 'caseId',
      onsetOn: 'onsetDate',
      reportedOn: 'reportedDate',
    };
    for (const [name, headings] of told)
      for (const heading of headings) {
        const { columns } = suggestMapping(['Full name', 'Age', 'Ill', 'Date of death', heading]);
        expect([heading, columns[4]!.field]).toEqual([heading, meant[name] ?? name]);
      }
  });

  it('is found under other names, in English and Spanish', () => {
    expect(
      suggested([
        'Apellido',
        'Nombre',
        'Fecha de nacimiento',
        'Sexo',
        'Prueba',
        'Resultado',
        'Fecha de toma',
      ]),
    ).toEqual({
      Apellido: 'lastName',
      Nombre: 'firstName',
      'Fecha de nacimiento': 'birthDate',
      Sexo: 'sex',
      Prueba: 'testName',
      Resultado: 'result',
      'Fecha de toma': 'collectedDate',
    });
    expect(
      suggested(['patientNameLast_pii', 'patientDob_pii', 'testName', 'testResult', 'performingFacility']),
    ).toEqual({
      patientNameLast_pii: 'lastName',
      patientDob_pii: 'birthDate',
      testName: 'testName',
      testResult: 'result',
      performingFacility: 'labName',
    });
  });

  it('tells a list of cases from a table of results', () => {
    const cases = suggestMapping([
      'id',
      'case_name',
      'case_type',
      'sex',
      'age',
      'date_onset',
      'date_reporting',
      'outcome',
      'ct_value',
    ]);
    expect(cases.kind).toBe('line-list');
    expect(cases.columns.map((column) => column.field)).toEqual([
      'caseId',
      'fullName',
      'classification',
      'sex',
      'age',
      'onsetDate',
      'reportedDate',
      'outcome',
      undefined,
    ]);
  });

  it('gives each field to one column, the most certain', () => {
    const { columns } = suggestMapping(['sex', 'sex_code', 'test_result', 'result', 'last_name', 'test']);
    expect(columns.map((column) => column.field)).toEqual([
      'sex',
      undefined,
      'result',
      undefined,
      'lastName',
      'testName',
    ]);
  });

  it('is only suggested, not used, if the header has other words too', () => {
    const suggestion = suggestMapping(['study_id', 'sex_fem_2', 'date_onset']);
    expect(suggestion.columns[1]).toMatchObject({ field: 'sex' });
    expect(mappingFrom(suggestion).columns.map((column) => column.field)).toEqual(['caseId', 'onsetDate']);
    expect(mappingFrom(suggestion, likely).columns.map((column) => column.field)).toEqual([
      'caseId',
      'sex',
      'onsetDate',
    ]);
  });

  it('makes mappings that the contract accepts', () => {
    for (const header of [
      ['last_name', 'test', 'result'],
      ['case id', 'onset date'],
    ]) {
      const mapping = mappingFrom(suggestMapping(header));
      expect(csvMapping.parse(mapping)).toEqual(mapping);
    }
  });

  it('has a signature that ignores how the header is written, but not its order', () => {
    expect(headerSignature(['Last Name', 'DOB'])).toBe(headerSignature(['last_name', ' dob ']));
    expect(headerSignature(['DOB', 'Last Name'])).not.toBe(headerSignature(['Last Name', 'DOB']));
  });
});

describe('the reasons why a table waits', () => {
  const results = (dates: string[]) =>
    `last_name,test,result,test_date\n${dates.map((date) => `Reed,HIV,Negative,${date}`).join('\n')}\n`;

  it('nothing, when all required columns are certain and every date can be read', async () => {
    expect(waitsFor(await inspect(results(['31/01/2024', '02/01/2024'])))).toEqual([]);
  });

  it('required columns', async () => {
    const inspection = await inspect('lab,first_name,last_name,observation\nMill,Nell,Reed,hiv:neg\n');
    const [fault] = undecided(inspection, mappingFrom(inspection.suggestion), options);
    expect(fault).toMatchObject({ severity: 'waits', code: 'columns-unmapped', place: 'file' });
    expect(fault!.params!.columns).toContain('testCode');
  });

  it('not for a column that has a value for the whole file', async () => {
    const inspection = await inspect('first_name,last_name,result\nNell,Reed,neg\n');
    const mapping = { ...mappingFrom(inspection.suggestion), constants: { testName: 'HIV 1+2' } };
    expect(waitsFor(inspection, options, csvMapping.parse(mapping))).toEqual([]);
  });

  it('the condition of a line list', async () => {
    const inspection = await inspect('case id,date onset\n1,2024-01-05\n');
    expect(waitsFor(inspection)).toEqual([['waits', 'condition-unchosen', 'file']]);
    expect(waitsFor(inspection, csvOptions.parse({ condition: 'Measles' }))).toEqual([]);
  });

  it.each([
    ['a date that well people have too', 'name,sample date\nAna Ruiz,2024-01-05\nBo Quist,2024-01-06\n'],
    [
      'a column that is likely to say who is a case',
      'name,date onset,case definition met\nAna Ruiz,2024-01-05,yes\nBo Quist,2024-01-06,no\n',
    ],
    [
      'words of well people',
      'name,date onset,serology\nAna Ruiz,2024-01-05,positive\nBo Quist,2024-01-06,negative\n',
    ],
    ['groups', 'name,date onset,study arm\nAna Ruiz,2024-01-05,A\nBo Quist,2024-01-06,B\n'],
    [
      'what people ate',
      'name,date onset,soup,beer,salad\nAna Ruiz,2024-01-05,1,0,1\nBo Quist,2024-01-06,0,1,0\n',
    ],
  ])('who is a case in a line list with %s', async (_what, text) => {
    const inspection = await inspect(text);
    const mapping = { ...mappingFrom(inspection.suggestion), kind: 'line-list' } as CsvMapping;
    const asked = [['waits', 'case-column-unchosen', 'file']];
    expect(waitsFor(inspection, csvOptions.parse({ condition: 'Measles' }), mapping)).toEqual(asked);
    const said = csvOptions.parse({ condition: 'Measles', everyRowIsCase: true });
    expect(waitsFor(inspection, said, mapping)).toEqual([]);
  });

  it.each([
    ['case status', 'name,date onset,case status,soup,beer,salad', 'confirmed,1,1,0', 'not a case,0,0,1'],
    ['ill yes or no', 'name,date onset,ill,soup,beer,salad', 'yes,1,1,0', 'no,0,0,1'],
    ['case or control', 'name,date onset,case control,soup,beer,salad', 'case,1,1,0', 'control,0,0,1'],
    ['case', 'name,date onset,case,soup,beer,salad', '1,1,1,0', '0,0,0,1'],
  ])('does not ask who is a case if a column headed %s says so', async (_what, header, ill, well) => {
    const inspection = await inspect(`${header}\nAna Ruiz,2024-01-05,${ill}\nBo Quist,2024-01-06,${well}\n`);
    expect(waitsFor(inspection, csvOptions.parse({ condition: 'Measles' }))).toEqual([]);
  });

  it('does not ask who is a case if the table has only cases', async () => {
    const inspection = await inspect(
      'case id,name,date onset,outcome,ward\n1,Ana Ruiz,2024-01-05,died,A\n2,Bo Quist,2024-01-06,recovered,B\n',
    );
    expect(waitsFor(inspection, csvOptions.parse({ condition: 'Measles' }))).toEqual([]);
  });

  it('a table with one known header for its person and its dates is not a line list', async () => {
    const inspection = await inspect('sex,titre at day 0,titre at day 28\nF,1:40,1:80\n');
    const faults = undecided(
      inspection,
      csvMapping.parse({ kind: 'line-list', columns: [{ column: 0, field: 'sex' }] }),
      csvOptions.parse({ condition: 'Measles', everyRowIsCase: true }),
    );
    expect(faults).toMatchObject([
      {
        code: 'columns-unmapped',
        params: {
          columns:
            'caseId / patientId / lastName / fullName, onsetDate / collectedDate / diagnosedDate / reportedDate / admittedDate',
        },
      },
    ]);
  });

  it('not for the condition when a column says it', async () => {
    expect(waitsFor(await inspect('case id,disease,date onset\n1,Measles,2024-01-05\n'))).toEqual([]);
  });

  it('the order of day and month if no date of the column shows it', async () => {
    const inspection = await inspect(results(['03/05/2024', '04/06/2024', '07/07/2024']));
    expect(waitsFor(inspection)).toEqual([['waits', 'date-order-unchosen', 'test_date']]);
    expect(waitsFor(inspection, csvOptions.parse({ dateOrders: { 3: 'dmy' } }))).toEqual([]);
  });

  it('the order of day and month if dates of the column contradict each other', async () => {
    expect(waitsFor(await inspect(results(['31/01/2024', '01/31/2024', '03/05/2024'])))).toEqual([
      ['waits', 'date-order-unchosen', 'test_date'],
    ]);
    expect(waitsFor(await inspect(results(['31/01/2024', '01/31/2024'])))).toEqual([]);
  });

  it('decides the order column by column', async () => {
    const text =
      'case id,disease,date_of_birth,onset date\n1,Mumps,01/31/1980,28/02/2021\n2,Mumps,02/03/1981,03/02/2021\n';
    expect(waitsFor(await inspect(text))).toEqual([]);
  });

  it('not for the order if the upload format fixes it', async () => {
    const text =
      'patient_last_name,patient_dob,test_performed_code,test_result,testing_lab_clia\nReed,03/05/1980,43304-5,Detected,06D1111111\n';
    expect(waitsFor(await inspect(text))).toEqual([]);
  });
});

describe('a first row that contains a person instead of headings', () => {
  const row = 'P1,Reed,Ann,1985-03-14,F,Chlamydia trachomatis rRNA,43304-5,Positive,10/18/2026';

  it('is reported first, before the missing columns', async () => {
    const inspection = await inspect(`${row}\n${row.replace('P1', 'P2')}\n`);
    expect(inspection.notes).toMatchObject([{ severity: 'warning', code: 'first-row-is-data' }]);
    expect(waitsFor(inspection).slice(0, 2)).toEqual([
      ['waits', 'first-row-is-data', 'file'],
      ['waits', 'columns-unmapped', 'file'],
    ]);
  });

  it('is still reported once its columns are mapped: the person in it is lost', async () => {
    const inspection = await inspect(`${row}\n${row.replace('P1', 'P2')}\n`);
    const mapping = csvMapping.parse({
      kind: 'results',
      columns: [
        'patientId',
        'lastName',
        'firstName',
        'birthDate',
        'sex',
        'testName',
        'testCode',
        'result',
        'collectedDate',
      ].map((field, column) => ({ column, field })),
    });
    expect(undecided(inspection, mapping, options)).toEqual([]);
    expect(inspection.notes).toMatchObject([{ code: 'first-row-is-data' }]);
  });

  it.each(['1985-03-14', '3/14/1985', '14.03.1985', '43304-5'])('%s is not a heading', async (cell) => {
    expect((await inspect(`name,${cell}\nAnn,x\n`)).notes).toMatchObject([{ code: 'first-row-is-data' }]);
  });

  it.each(['2026', '46313', 'Day 28', 'week 1-7', 'visit 2', 'OBX-5', 'May', 'HHV-6'])(
    '"%s" may be one',
    async (cell) => {
      expect((await inspect(`name,${cell}\nAnn,x\n`)).notes).toEqual([]);
    },
  );
});

describe('a file that is not a table', () => {
  it.each([
    ['has only a header', 'a,b\n', 'rows-missing'],
    ['has no header', '1,2024-01-02,3\n4,2024-01-03,6\n', 'header-row-missing'],
    ['is prose', 'hello', 'file-not-delimited'],
  ])('%s', async (_name, text, code) => {
    expect(await inspectCsv(open(text))).toMatchObject({ severity: 'error', code });
  });
});

it('lets a person choose between two columns with one header, if they differ', async () => {
  const fields = async (rows: string) =>
    mappingFrom((await inspect(`last name,test result,Test Result\n${rows}`)).suggestion).columns.map(
      ({ field }) => field,
    );
  expect(await fields('Reed,Detected,Detected\nHale,Not detected,Not detected\n')).toContain('result');
  expect(await fields('Reed,Detected,Detected\nHale,Not detected,Detected\n')).not.toContain('result');
});

it('notes columns with the same header', async () => {
  const { notes } = await inspect('last name,result,Result\nReed,a,b\n');
  expect(notes).toMatchObject([{ severity: 'warning', code: 'column-repeated', place: 'Result' }]);
});
