import { describe, expect, it } from 'vitest';
import type { ReadMessage } from './elr.ts';
import { readHl7Report } from './elr.ts';
import type { LabReport } from './report.ts';

const clock = { timeZone: 'America/Denver' };
const read = (text: string, line = 1): ReadMessage => readHl7Report(Buffer.from(text), line, clock);

/** A segment from its fields by number. MSH-1 is the separator, so its fields are numbered as they are written. */
function segment(id: string, fields: Record<number, string>): string {
  const last = Math.max(...Object.keys(fields).map(Number));
  const values = Array.from({ length: last }, (_, at) => fields[at + 1] ?? '');
  return [id, ...(id === 'MSH' ? values.slice(1) : values)].join('|');
}

const voss = '1234567893^Voss^Idris^^^Dr^^^NPI&2.16.840.1.113883.4.6&ISO^L^^^NPI';
const filler = 'F-200^NORTHLAB^2.16.840.1.113883.3.9999.1^ISO';

/** A report as the ELR guide (HL7 2.5.1) wants it, about a person who does not exist. Parts can be replaced. */
const parts = {
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
const message = (replaced: Partial<Record<keyof typeof parts, string>> = {}, after = ''): string =>
  [...Object.values({ ...parts, ...replaced }).filter((part) => part !== ''), after].join('\r');

function report(text: string): LabReport {
  const result = read(text);
  if (result.outcome !== 'usable') throw new Error(JSON.stringify(result.faults));
  return result.report;
}
const faults = (text: string) =>
  read(text).faults.map((fault) => [fault.severity, fault.code, fault.place, fault.line]);
const observation = (obx: string) => report(message({ obx, nte: '' })).orders[0]!.observations[0]!;
/** An OBX with this value type and value. */
const valued = (type: string, value: string, units = '') =>
  observation(`OBX|1|${type}|43304-5^Test^LN||${value}|${units}|||||F`);

describe('a laboratory report', () => {
  it('is taken without a fault when it is as the guide wants it', () => {
    expect(read(message())).toMatchObject({
      outcome: 'usable',
      type: 'ORU^R01',
      controlId: 'NH-0001',
      sender: 'North Hill Laboratory',
      charset: 'us-ascii',
      faults: [],
    });
  });

  it('names its sender, version and profile', () => {
    expect(report(message()).header).toMatchObject({
      format: 'hl7',
      type: 'ORU^R01',
      structure: 'ORU_R01',
      version: '2.5.1',
      controlId: 'NH-0001',
      sendingApplication: { name: 'NORTHLAB', id: '2.16.840.1.113883.3.9999.1', idType: 'ISO' },
      sendingFacility: { name: 'North Hill Laboratory', id: '06D9999999', idType: 'CLIA' },
      sendingClia: '06D9999999',
      processingId: 'P',
      sent: { instant: '2024-03-05T17:15:00.000Z', day: '2024-03-05', hadOffset: true },
      profiles: [
        {
          value: 'PHLabReport-NoAck',
          assigner: { name: 'HL7', id: '2.16.840.1.113883.9.11', idType: 'ISO' },
        },
      ],
      software: 'Northsoft LIS',
    });
  });

  it('holds the patient with every name, identifier, race, address and way to reach them', () => {
    expect(report(message()).patient).toMatchObject({
      identifiers: [{ value: 'MR-4471', type: 'MR', assigner: { name: 'NORTHLAB', idType: 'ISO' } }],
      names: [
        { family: 'Quillfeather', given: 'Ottoline', middle: 'Rae', suffix: 'Jr', type: 'L' },
        { family: 'Marsh', given: 'Ottoline', type: 'M' },
      ],
      mothersMaidenNames: [{ family: 'Tarn', given: 'Beda' }],
      birth: { day: '1987-02-14', precision: 'day' },
      sex: 'F',
      races: [{ cdc: '2106-3' }, { cdc: '2028-9' }],
      ethnicities: [{ cdc: '2186-5' }],
      addresses: [
        {
          street: '77 Larch Road',
          street2: 'Unit 4',
          city: 'Greeley',
          state: 'CO',
          zip: '80631',
          type: 'H',
          countyFips: '08123',
        },
      ],
      phones: [{ e164: '+19705550144', use: 'PRN', equipment: 'PH' }],
      emails: ['ottoline@example.test'],
      language: { codes: [{ code: 'es' }] },
      deceased: false,
    });
  });

  it('holds next of kin and visit', () => {
    expect(report(message())).toMatchObject({
      nextOfKin: [
        {
          names: [{ family: 'Quillfeather', given: 'Anselm' }],
          relationship: { codes: [{ code: 'SPO' }] },
          phones: [{ e164: '+19705550145' }],
        },
      ],
      visit: {
        patientClass: 'O',
        number: { value: 'V-88' },
        location: 'CLINIC 3 North Hill',
        admitted: { day: '2024-03-04' },
      },
    });
  });

  it('holds the order with its numbers, provider and facility', () => {
    const [order] = report(message()).orders;
    expect(order).toMatchObject({
      control: 'RE',
      placer: { value: 'P-100', assigner: { name: 'EHR' } },
      filler: { value: 'F-200', assigner: { name: 'NORTHLAB' } },
      test: {
        text: 'Chlamydia and gonorrhoea panel',
        codes: [
          { code: '64017-7', system: 'LN' },
          { code: 'GCCT', system: 'L' },
        ],
      },
      status: 'F',
      collected: { instant: '2024-03-04T16:15:00.000Z' },
      reported: { instant: '2024-03-05T16:30:00.000Z' },
      relevantClinicalInfo: 'Screening',
      reasons: [{ codes: [{ code: 'Z11.3', system: 'I10C' }] }],
      provider: { npi: '1234567893', name: { family: 'Voss', given: 'Idris', prefix: 'Dr' } },
      facility: {
        name: 'Larch Clinic',
        clia: '06D8888888',
        address: { city: 'Greeley' },
        phones: [{ e164: '+19705550151' }],
      },
      providerAddress: { street: '2 Main St' },
      specimensFrom: 'own',
    });
  });

  it('holds the result with both codes, flag, times, device and laboratory', () => {
    const [result] = report(message()).orders[0]!.observations;
    expect(result).toMatchObject({
      test: {
        codes: [
          { code: '43304-5', system: 'LN' },
          { code: 'CT', system: 'L' },
        ],
      },
      subId: '1',
      values: [
        {
          kind: 'coded',
          coded: {
            codes: [
              { code: '10828004', system: 'SCT' },
              { code: 'POS', system: 'L' },
            ],
            originalText: 'POSITIVE',
            text: 'POSITIVE',
          },
        },
      ],
      referenceRange: 'Negative',
      flags: [{ code: 'A', system: 'HL70078' }],
      status: 'F',
      observed: { instant: '2024-03-04T16:15:00.000Z' },
      analysed: { instant: '2024-03-05T16:10:00.000Z' },
      methods: [{ text: 'Nucleic acid test' }],
      device: { id: 'DEV-9', name: 'PantherX' },
      performer: {
        name: 'North Hill Laboratory',
        clia: '06D9999999',
        director: { name: { family: 'Head' } },
      },
      notes: ['Report to the health department.\nCall with questions.'],
      line: 8,
      source: 'observation',
    });
  });

  it('holds the specimen', () => {
    expect(report(message()).orders[0]!.specimens).toMatchObject([
      {
        placer: { value: 'S-1' },
        filler: { value: 'S-300' },
        type: { codes: [{ code: '122575003', system: 'SCT' }] },
        sourceSite: { codes: [{ code: '78291004' }] },
        collected: { instant: '2024-03-04T16:15:00.000Z' },
        collectedEnd: { instant: '2024-03-04T16:17:00.000Z' },
        received: { instant: '2024-03-04T22:00:00.000Z' },
        role: 'P',
      },
    ]);
  });

  it('is the same content whatever its line ends', () => {
    const hashes = ['\r', '\n', '\r\n', '\r\n\r\n'].map(
      (end) => read(message().replaceAll('\r', end)).contentHash,
    );
    expect(new Set(hashes).size).toBe(1);
    expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(read(message({ nte: '' })).contentHash).not.toBe(hashes[0]);
  });
});

describe('what makes a message unusable', () => {
  it.each([
    ['no control id', message({ msh: parts.msh.replace('NH-0001', '') }), 'field-missing', 'MSH-10', 1],
    ['no type', message({ msh: parts.msh.replace('ORU^R01^ORU_R01', '') }), 'field-missing', 'MSH-9', 1],
    [
      'a name for a type',
      message({ msh: parts.msh.replace('ORU^R01^ORU_R01', 'Quillfeather^Ottoline') }),
      'message-type-invalid',
      'MSH-9',
      1,
    ],
    ['no encoding characters', message({ msh: parts.msh.replace('^~\\&', '') }), 'field-missing', 'MSH-2', 1],
    ['no sender', message({ msh: parts.msh.replace(/NORTHLAB.*?CLIA/, '|') }), 'sender-missing', 'MSH-4', 1],
    ['no patient', message({ pid: '' }), 'segment-missing', 'PID', 1],
    [
      'a patient without identifier and name',
      message({ pid: 'PID|1||||^^^^^^L||19870214' }),
      'patient-unidentifiable',
      'PID[1]-3',
      3,
    ],
    ['no observation', message({ obx: '', nte: '' }), 'segment-missing', 'OBX', 1],
    [
      'only answers',
      message({ obx: 'OBX|1|NM|30525-0^Age^LN||37|a^year^UCUM|||||F', nte: '' }),
      'results-missing',
      'OBX',
      1,
    ],
    ['a second patient', message({}, 'PID|2||MR-2^^^X^MR||Other^Person'), 'several-patients', 'PID[2]', 11],
    ['another start', 'PID|1||X', 'field-missing', 'MSH-1', 1],
  ])('%s: refused with its place', (_name, text, code, place, line) => {
    const result = read(text);
    expect(result.outcome).toBe('refused');
    expect(
      result.faults
        .filter((fault) => fault.severity === 'error')
        .map((fault) => [fault.code, fault.place, fault.line]),
    ).toContainEqual([code, place, line]);
  });

  it.each([
    ['ADT^A01', 'ADT^A01 is no laboratory report: a patient administration message.'],
    ['ORM^O01^ORM_O01', 'ORM^O01 is no laboratory report: an order.'],
    ['VXU^V04^VXU_V04', 'VXU^V04 is no laboratory report: a vaccination record.'],
    ['ACK^R01', 'ACK^R01 is no laboratory report: an acknowledgement.'],
    ['ORU^R30', 'ORU^R30 is no laboratory report: an observation report.'],
    ['ZZZ', 'ZZZ is no laboratory report: another kind of message.'],
  ])('%s is named and refused', (type, sentence) => {
    expect(read(message({ msh: parts.msh.replace('ORU^R01^ORU_R01', type) }))).toMatchObject({
      outcome: 'refused',
      faults: [{ severity: 'error', code: 'not-elr', place: 'MSH-9', message: sentence }],
    });
  });

  it('names every fault of a header, not the first alone', () => {
    const msh = parts.msh.replace('ORU^R01^ORU_R01', 'ORM^O01').replace('NH-0001', '');
    expect(faults(message({ msh }))).toEqual([
      ['error', 'field-missing', 'MSH-10', 1],
      ['error', 'not-elr', 'MSH-9', 1],
    ]);
  });

  it('says nothing of a patient in a fault', () => {
    const text = message({
      pid: 'PID|1||MR-4471||Quillfeather||19879999|',
      obx: 'OBX|1|NM|43304-5^Test^LN||secretvalue||||||F',
    });
    expect(JSON.stringify(read(text).faults)).not.toMatch(/Quillfeather|MR-4471|19879999|secretvalue/);
  });
});

describe('a case notification waits', () => {
  it.each([
    ['by its profile', parts.msh.replace('PHLabReport-NoAck^HL7', 'NOTF_ORU_v3.0^PHINProfileID'), parts.obr],
    [
      'by an older profile',
      parts.msh.replace('PHLabReport-NoAck^HL7', 'NND_ORU_v2.0^PHINProfileID'),
      parts.obr,
    ],
    [
      'by the notified condition',
      parts.msh,
      parts.obr.replace('Z11.3^Encounter for screening^I10', '10274^Chlamydia^NND'),
    ],
    [
      'by its order',
      parts.msh,
      parts.obr.replace('64017-7^Chlamydia and gonorrhoea panel^LN', 'NOTF^Case notification^L'),
    ],
  ])('%s', (_name, msh, obr) => {
    expect(read(message({ msh, obr }))).toMatchObject({
      outcome: 'waiting',
      reason: 'case-notification',
      controlId: 'NH-0001',
    });
  });

  it('but a report with epidemiological information (68991-9) beside results does not, and that is answers', () => {
    const { orders } = report(
      message(
        {},
        'OBR|2||F-201|68991-9^Epidemiologically important information^LN|||||||||||||||||||||F\rOBX|1|CWE|PLT631^Region^PLT||MD^Maryland^L||||||F',
      ),
    );
    expect(orders.map((order) => [order.observations.length, order.answers.length])).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });
});

describe('what is doubtful is taken and said', () => {
  it.each([
    [
      'a test message',
      { msh: parts.msh.replace('|P|2.5.1', '|T|2.5.1') },
      [['processing-id-test', 'MSH-11']],
    ],
    ['no processing id', { msh: parts.msh.replace('|P|2.5.1', '||2.5.1') }, [['field-missing', 'MSH-11']]],
    [
      'no sending application',
      { msh: parts.msh.replace(/NORTHLAB.*?ISO/, '') },
      [['field-missing', 'MSH-3']],
    ],
    ['no receiving facility', { msh: parts.msh.replace('|STATE|', '||') }, [['field-missing', 'MSH-6']]],
    [
      'an unknown version',
      { msh: parts.msh.replace('|2.5.1|', '|3.0|') },
      [['version-unexpected', 'MSH-12']],
    ],
    [
      'an invalid birth date',
      { pid: parts.pid.replace('19870214', '19870231') },
      [['date-invalid', 'PID[1]-7']],
    ],
    [
      'a birth in the future',
      { pid: parts.pid.replace('19870214', '21870214') },
      [['date-implausible', 'PID[1]-7']],
    ],
    [
      'a birth before 1900',
      { pid: parts.pid.replace('19870214', '18991231') },
      [['date-implausible', 'PID[1]-7']],
    ],
    [
      'a placeholder for a date',
      { pid: parts.pid.replace('19870214', '0000') },
      [['date-unspecified', 'PID[1]-7']],
    ],
    [
      'an invalid collection end',
      { spm: parts.spm.replace('20240304091700-0700', '20241304') },
      [['date-invalid', 'SPM[1]-17.2']],
    ],
    [
      'a name without a given part',
      { pid: parts.pid.replace('Quillfeather^Ottoline^Rae', 'Quillfeather^^') },
      [['name-incomplete', 'PID[1]-5']],
    ],
    [
      'a wrong LOINC check digit',
      { obx: parts.obx.replace('43304-5', '43304-6') },
      [['check-digit-wrong', 'OBX[1]-3.1']],
    ],
    [
      'a wrong SNOMED check digit',
      { obx: parts.obx.replace('10828004', '10828005') },
      [['check-digit-wrong', 'OBX[1]-5.1']],
    ],
    [
      'no status',
      { obx: parts.obx.replace('|||F|||2024', '||||||2024') },
      [['result-status-missing', 'OBX[1]-11']],
    ],
    [
      'an unknown status',
      { obx: parts.obx.replace('|||F|||2024', '|||Q|||2024') },
      [['result-status-unknown', 'OBX[1]-11']],
    ],
    [
      'no value in a final result',
      { obx: 'OBX|1|CWE|43304-5^T^LN||||||||F' },
      [['value-missing', 'OBX[1]-5']],
    ],
    [
      'no order number',
      { orc: '', obr: 'OBR|1|||64017-7^Panel^LN|||20240304||||||||||||||||||F' },
      [['order-number-missing', 'OBR[1]-3']],
    ],
    ['observations without an order', { orc: '', obr: '' }, [['order-missing', 'OBX[1]']]],
    [
      'words where a code belongs',
      { obx: 'OBX|1|CWE|43304-5^T^LN||Not detected||||||F' },
      [['value-not-of-type', 'OBX[1]-5']],
    ],
    [
      'a number that is none',
      { obx: 'OBX|1|NM|43304-5^T^LN||many||||||F' },
      [['value-not-of-type', 'OBX[1]-5']],
    ],
    [
      'an unknown value type',
      { obx: 'OBX|1|QQ|43304-5^T^LN||x||||||F' },
      [['value-type-unknown', 'OBX[1]-2']],
    ],
  ])('%s', (_name, replaced, expected) => {
    const result = read(message(replaced));
    expect(result.outcome).toBe('usable');
    expect(result.faults.map((fault) => [fault.code, fault.place])).toEqual(expected);
    expect(result.faults.every((fault) => fault.severity === 'warning')).toBe(true);
  });

  it('takes an observation that stands twice word for word once', () => {
    const text = message({ obx: `${parts.obx}\r${parts.obx}` });
    expect(report(text).orders[0]!.observations).toHaveLength(1);
    expect(faults(text)).toEqual([['warning', 'observation-repeated', 'OBX[2]', 9]]);
  });

  it('takes both of two contradicting observations', () => {
    const text = message({
      obx: `${parts.obx}\r${parts.obx.replace('10828004^Positive', '260385009^Negative')}`,
    });
    expect(report(text).orders[0]!.observations).toHaveLength(2);
    expect(faults(text)).toEqual([['warning', 'observation-contradicted', 'OBX[2]', 9]]);
  });

  it('leaves out an observation without a code and keeps the others', () => {
    const text = message({ obx: `OBX|1|ST|||orphan||||||F\r${parts.obx}` });
    expect(report(text).orders[0]!.observations).toHaveLength(1);
    expect(faults(text)).toEqual([['warning', 'observation-code-missing', 'OBX[1]-3', 8]]);
  });

  it('gives lines of the file, not of the message', () => {
    const result = read(message({ pid: parts.pid.replace('19870214', 'x') }), 100);
    expect(result.faults).toMatchObject([{ place: 'PID[1]-7', line: 102 }]);
  });
});

describe('values of every type', () => {
  it.each([
    ['SN', '=^9.2', { kind: 'numeric', numeric: { comparator: '=', number: 9.2 } }],
    ['SN', '>^100', { kind: 'numeric', numeric: { comparator: '>', number: 100 } }],
    ['SN', '^1^:^64', { kind: 'numeric', numeric: { number: 1, separator: ':', second: 64 }, text: '1:64' }],
    ['SN', '^2^+', { kind: 'numeric', numeric: { number: 2, separator: '+' } }],
    ['SN', '^0^-^5', { kind: 'numeric', numeric: { number: 0, separator: '-', second: 5 } }],
    ['SN', '"^1^/^3', { kind: 'text', text: '"1/3' }],
    ['NM', '05.100', { kind: 'numeric', numeric: { number: 5.1 }, text: '05.100' }],
    ['NM', '<20', { kind: 'numeric', numeric: { comparator: '<', number: 20 } }],
    ['NM', '1,250', { kind: 'numeric', numeric: { number: 1250 } }],
    ['NM', '-0.5', { kind: 'numeric', numeric: { number: -0.5 } }],
    ['ST', 'Reactive', { kind: 'text', text: 'Reactive', numeric: undefined }],
    ['ST', '1:128', { kind: 'text', text: '1:128', numeric: { number: 1, separator: ':', second: 128 } }],
    ['ST', 'one^two & three', { kind: 'text', text: 'one^two & three' }],
    ['TX', 'line 1~line 2', { kind: 'text', text: 'line 1\nline 2' }],
    ['FT', 'bold \\H\\here\\N\\\\.br\\next', { kind: 'text', text: 'bold here\nnext' }],
    ['DT', '20240304', { kind: 'time', time: { day: '2024-03-04', precision: 'day' } }],
    ['TS', '202403040915-0700', { kind: 'time', time: { instant: '2024-03-04T16:15:00.000Z' } }],
    ['DTM', '2024', { kind: 'time', time: { value: '2024', precision: 'year' } }],
    ['TM', '0915', { kind: 'text', text: '0915' }],
    [
      'CE',
      '260373001^Detected^SCT',
      { kind: 'coded', coded: { codes: [{ code: '260373001', system: 'SCT' }], text: 'Detected' } },
    ],
    [
      'CWE',
      '^Bordetella pertussis^SNM',
      {
        kind: 'coded',
        coded: { codes: [{ text: 'Bordetella pertussis', system: 'SNM' }], text: 'Bordetella pertussis' },
      },
    ],
    ['CWE^^HL70125', '260373001^Detected^SCT', { kind: 'coded', coded: { codes: [{ code: '260373001' }] } }],
    [
      'ED',
      '^text^html^Base64^PGI+',
      { kind: 'document', mediaType: 'text/html', encoding: 'Base64', characters: 4 },
    ],
    [
      'RP',
      'https://example.test/r1^^SD^PICT',
      { kind: 'document', mediaType: 'SD/PICT', pointer: 'https://example.test/r1' },
    ],
    ['XAD', '1 Main St^^Greeley^CO', { kind: 'text', text: '1 Main St Greeley CO' }],
    ['', '260373001^Detected^SCT', { kind: 'coded', coded: { text: 'Detected' } }],
    ['', 'Positive', { kind: 'text', text: 'Positive' }],
  ])('%s %s', (type, value, expected) => {
    expect(valued(type, value).values).toMatchObject([expected]);
  });

  it('keeps every repetition of a coded value', () => {
    expect(valued('CWE', 'MD^Maryland^L~KS^Kansas^L').values).toHaveLength(2);
  });

  it('keeps units and sees through an empty value', () => {
    expect(valued('NM', '5', 'ug/dL^microgram per decilitre^UCUM').units).toMatchObject({
      code: 'ug/dL',
      system: 'UCUM',
    });
    expect(valued('ST', '""').values).toEqual([]);
  });

  it('infers LOINC and SNOMED from form and check digit where no system is named, and marks it so', () => {
    const made = observation('OBX|1|CE|43304-5^Test||10828004^Positive||||||F');
    expect(made.test.codes).toMatchObject([{ code: '43304-5', system: undefined, inferred: 'LN' }]);
    expect(made.values).toMatchObject([{ coded: { codes: [{ code: '10828004', inferred: 'SCT' }] } }]);
  });

  it('reads statuses sent as a letter, a coded text or a word', () => {
    const statuses = ['C', 'C^Corrected^HL70085', 'Final', 'corrected', 'X'].map(
      (status) => observation(`OBX|1|ST|43304-5^T^LN||x||||||${status}`).status,
    );
    expect(statuses).toEqual(['C', 'C', 'F', 'C', 'X']);
  });
});

describe('answers are not results', () => {
  it('by the question, by OBX-29, and as specimen observations', () => {
    const { orders, age } = report(
      message(
        {
          nte: 'OBX|2|CWE|95419-8^Has symptoms^LN||Y^Yes^HL70136||||||F\rOBX|3|ST|X-1^Local question^L||blue||||||F||||||||||||||||||QST',
        },
        'OBX|4|SN|35659-2^Age at collection^LN||=^37|a^Year^UCUM|||||F\rOBX|5|ST|X-2^Volume^L||10||||||F',
      ),
    );
    expect(orders[0]!.observations).toHaveLength(1);
    expect(orders[0]!.answers.map((answer) => [answer.question, answer.code.text])).toEqual([
      ['symptomatic', 'Has symptoms'],
      [undefined, 'Local question'],
      ['age', 'Age at collection'],
      [undefined, 'Volume'],
    ]);
    expect(age).toEqual({ value: 37, unit: 'a' });
  });

  it.each([
    ['OBX|2|NM|30525-0^Age^LN||5|wk^weeks^UCUM|||||F', { value: 5, unit: 'wk' }],
    ['OBX|2|CWE|30525-0^Age^LN||9|mo^months^UCUM|||||F', { value: 9, unit: 'mo' }],
    ['OBX|2|SN|29553-5^Age calculated^LN||^41|Y^Years^L|||||F', { value: 41, unit: 'a' }],
    ['OBX|2|NM|30525-0^Age^LN||44||||||F', { value: 44, unit: 'a' }],
    ['OBX|2|NM|30525-0^Age^LN||444|a|||||F', undefined],
  ])('age from %s', (obx, age) => {
    expect(report(message({ nte: obx })).age).toEqual(age);
  });

  it('takes observations after the specimen as results when none stand before it', () => {
    const { orders } = report(message({ obx: '', nte: '' }, parts.obx));
    expect(orders[0]!.observations).toHaveLength(1);
  });

  it('takes observations before the first order as answers about the patient', () => {
    const { answers } = report(message({ pv1: 'OBX|1|ST|8302-2^Height^LN||170||||||F' }));
    expect(answers).toMatchObject([{ code: { text: 'Height' } }]);
  });
});

describe('several orders', () => {
  const child =
    'OBR|2||F-201^NORTHLAB|18907-6^Susceptibility^LN|||20240304|||||||||||||||20240306|||F|43304-5&C. trachomatis rRNA&LN^1^Positive|||P-100&EHR^F-200&NORTHLAB\rOBX|1|SN|36-4^Azithromycin^LN||<=^0.06|ug/mL^^UCUM|||||F\rNTE|1||By dilution.';

  it('keep their own results and notes; a child takes its parent and its specimen', () => {
    const { orders } = report(message({}, child));
    expect(orders).toHaveLength(2);
    expect(orders[1]).toMatchObject({
      parent: {
        test: { codes: [{ code: '43304-5', system: 'LN' }] },
        subId: '1',
        text: 'Positive',
        placer: { value: 'P-100' },
        filler: { value: 'F-200' },
      },
      specimensFrom: 'parent',
      specimens: [{ filler: { value: 'S-300' } }],
      facility: { name: 'Larch Clinic' },
      observations: [{ test: { text: 'Azithromycin' }, notes: ['By dilution.'] }],
    });
  });

  it('take the only specimen of the message when they name no parent', () => {
    const { orders } = report(message({}, child.replace(/43304-5&.*?NORTHLAB\r/, '\r')));
    expect(orders[1]).toMatchObject({ specimensFrom: 'only', specimens: [{ filler: { value: 'S-300' } }] });
  });

  it('take none when the message has several', () => {
    const second = `${parts.obr.replace('OBR|1', 'OBR|2').replaceAll('F-200', 'F-202')}\r${parts.obx}\r${parts.spm.replace('S-300', 'S-301')}`;
    const { orders } = report(
      message({}, `${second}\r${child.replace(/43304-5&.*?NORTHLAB\r/, '\r').replace('OBR|2', 'OBR|3')}`),
    );
    expect(orders.map((order) => order.specimensFrom)).toEqual(['own', 'own', undefined]);
  });

  it('that are cancelled or pending without an OBX become results without a value', () => {
    const cancelled = 'OBR|2||F-201|43305-2^N. gonorrhoeae rRNA^LN|||20240304||||||||||||||||||X';
    const { orders } = report(message({}, cancelled));
    expect(orders[1]!.observations).toMatchObject([
      { status: 'X', values: [], source: 'order', test: { codes: [{ code: '43305-2' }] } },
    ]);
    expect(
      report(message({ obx: '', nte: '', obr: parts.obr.replace('|||F||||||Z11', '|||I||||||Z11') }))
        .orders[0]!.observations,
    ).toMatchObject([{ status: 'I', source: 'order' }]);
  });
});

describe('older versions', () => {
  it('reads a v2.3 report: specimen in OBR-15, laboratory in OBX-15, numbers in PID-2 and PID-19', () => {
    const text = [
      'MSH|^~\\&|OLDLAB|Old Town Lab|STATE|DOH|20240305101500||ORU^R01|A1|P|2.3',
      segment('PID', {
        1: '1',
        2: 'EXT-9',
        5: 'Larkspur^Hugo',
        7: '19550607',
        8: 'M',
        10: 'W',
        11: '12 Elm^^Pueblo^CO^81001',
        13: '(719)555-0123',
        19: '521-00-0000',
      }),
      segment('OBR', {
        1: '1',
        2: 'P1',
        3: 'F1',
        4: '6463-4^Bacteria culture^LN',
        7: '202403040915',
        14: '202403041000',
        15: 'BLDV&Venous blood&HL70070^^^LA&Left arm&L',
        22: '202403051000',
        25: 'F',
      }),
      segment('OBX', {
        1: '1',
        2: 'CE',
        3: '6463-4^Bacteria culture^LN',
        5: '3092008^Staphylococcus aureus^SCT',
        11: 'F',
        14: '202403040915',
        15: '06D7777777^Old Town Lab^CLIA',
      }),
    ].join('\r');
    const made = report(text);
    expect(made.patient).toMatchObject({
      identifiers: [{ value: 'EXT-9' }, { value: '521-00-0000', type: 'SS' }],
      races: [{ cdc: '2106-3' }],
      phones: [{ e164: '+17195550123' }],
    });
    expect(made.orders[0]).toMatchObject({
      specimensFrom: 'order',
      specimens: [
        {
          type: { codes: [{ code: 'BLDV' }] },
          sourceSite: { codes: [{ code: 'LA' }] },
          collected: { instant: '2024-03-04T16:15:00.000Z' },
        },
      ],
      observations: [{ performer: { name: 'Old Town Lab', clia: '06D7777777' } }],
    });
  });
});
