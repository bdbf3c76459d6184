import { describe, expect, it } from 'vitest';
import { faults, message, parts, read, report } from './test-elr.ts';

describe('doubtful values are accepted with a warning', () => {
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
    [
      'an answer of the future',
      { nte: 'OBX|2|DT|11368-8^Illness onset^LN||20990118||||||F' },
      [['date-implausible', 'OBX[2]-5']],
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

  it.each<[string, Partial<typeof parts>, string[][]]>([
    [
      'a birth in the future',
      { pid: parts.pid.replace('19870214', '21870214') },
      [['date-in-future', 'PID[1]-7']],
    ],
    [
      'a death in the future',
      { pid: `${parts.pid.slice(0, -2)}20990101|Y` },
      [['date-in-future', 'PID[1]-29']],
    ],
    [
      'observations and a specimen of the future',
      {
        obx: parts.obx.replace('|||20240304091500-0700', '|||20990118'),
        spm: parts.spm.replace('20240304091500-0700', '20990118'),
      },
      [
        ['date-in-future', 'OBX[1]-14'],
        ['date-in-future', 'SPM[1]-17'],
      ],
    ],
    [
      'what happened before the birth',
      { obr: parts.obr.replace('20240304091500-0700', '198702120915-0700') },
      [['date-before-birth', 'OBR[1]-7']],
    ],
  ])('%s waits to be corrected', (_name, replaced, expected) => {
    const result = read(message(replaced));
    expect(result).toMatchObject({ outcome: 'waiting', reason: expected[0]![0] });
    expect(result.faults.map(({ severity, code, place }) => [severity, code, place])).toEqual(
      expected.map((fault) => ['waits', ...fault]),
    );
  });

  it('tolerates a clock and a day that differ by less than one day', () => {
    const ahead = new Date(Date.now() + 23 * 3_600_000).toISOString().replace(/[-:T]|\..*/g, '');
    const spm = parts.spm.replace('20240304091500-0700', `${ahead}+0000`);
    expect(read(message({ spm })).outcome).toBe('usable');
    const obr = parts.obr.replace('20240304091500-0700', '198702132315-0700');
    expect(read(message({ obr })).outcome).toBe('usable');
  });

  it('keeps a day that is reported as a result, even in the future', () => {
    const due = 'OBX|1|DT|11778-8^Delivery date estimated^LN||20990118||||||F';
    expect(read(message({ obx: due })).outcome).toBe('usable');
  });

  it('stores an observation that is repeated word for word once', () => {
    const text = message({ obx: `${parts.obx}\r${parts.obx}` });
    expect(report(text).orders[0]!.observations).toHaveLength(1);
    expect(faults(text)).toEqual([['warning', 'observation-repeated', 'OBX[2]', 9]]);
  });

  it('stores both of two contradicting observations', () => {
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
