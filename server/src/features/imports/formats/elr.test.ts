import { describe, expect, it } from 'vitest';
import { faults, message, parts, read, report, segment } from './test-elr.ts';

describe('a laboratory report', () => {
  it('is accepted without a fault if it follows the guide', () => {
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

  it('splits a name in one piece at its comma, and keeps a suffix after it', () => {
    const named = (name: string) =>
      report(message({ pid: parts.pid.replace(/Quillfeather[^|]*/, name) })).patient.names[0];
    expect(named('JEAN-BAPTISTE, Rose-Laure')).toMatchObject({
      family: 'JEAN-BAPTISTE',
      given: 'Rose-Laure',
    });
    expect(named('Smith, Jr^Ada')).toMatchObject({ given: 'Ada' });
  });

  it('has the patient with every name, identifier, race, address and contact', () => {
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

  it('has next of kin and visit', () => {
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

  it('has the order with its numbers, provider and facility', () => {
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

  it('has the result with both codes, flag, times, device and laboratory', () => {
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

  it('has the specimen', () => {
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

  it('has the same content with any line endings', () => {
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
    ['ADT^A01', 'ADT^A01 is not a laboratory report: a patient administration message.'],
    ['ORM^O01^ORM_O01', 'ORM^O01 is not a laboratory report: an order.'],
    ['VXU^V04^VXU_V04', 'VXU^V04 is not a laboratory report: a vaccination record.'],
    ['ACK^R01', 'ACK^R01 is not a laboratory report: an acknowledgement.'],
    ['ORU^R30', 'ORU^R30 is not a laboratory report: an observation report.'],
    ['ZZZ', 'ZZZ is not a laboratory report: another kind of message.'],
  ])('%s is named and refused', (type, sentence) => {
    expect(read(message({ msh: parts.msh.replace('ORU^R01^ORU_R01', type) }))).toMatchObject({
      outcome: 'refused',
      faults: [{ severity: 'error', code: 'not-elr', place: 'MSH-9', message: sentence }],
    });
  });

  it('names every fault of a header, not only the first', () => {
    const msh = parts.msh.replace('ORU^R01^ORU_R01', 'ORM^O01').replace('NH-0001', '');
    expect(faults(message({ msh }))).toEqual([
      ['error', 'field-missing', 'MSH-10', 1],
      ['error', 'not-elr', 'MSH-9', 1],
    ]);
  });

  it('says nothing about a patient in a fault', () => {
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

  it('but a report with epidemiological information (68991-9) next to results does not; that counts as answers', () => {
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

describe('several orders', () => {
  const child =
    'OBR|2||F-201^NORTHLAB|18907-6^Susceptibility^LN|||20240304|||||||||||||||20240306|||F|43304-5&C. trachomatis rRNA&LN^1^Positive|||P-100&EHR^F-200&NORTHLAB\rOBX|1|SN|36-4^Azithromycin^LN||<=^0.06|ug/mL^^UCUM|||||F\rNTE|1||By dilution.';

  it('keep their own results and notes; a child gets its parent’s specimen', () => {
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

  it('get the only specimen of the message if they name no parent', () => {
    const { orders } = report(message({}, child.replace(/43304-5&.*?NORTHLAB\r/, '\r')));
    expect(orders[1]).toMatchObject({ specimensFrom: 'only', specimens: [{ filler: { value: 'S-300' } }] });
  });

  it('get no specimen if the message has several', () => {
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
