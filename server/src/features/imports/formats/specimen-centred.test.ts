import { describe, expect, test } from 'vitest';
import { parts, read, report } from './test-elr.ts';

const { msh, pid, orc, obr, obx, spm } = parts;
const typed = (trigger: string) => msh.replace('ORU^R01^ORU_R01', `OUL^${trigger}^OUL_${trigger}`);
const ofOrder = (text: string, number: string) => text.replace(/F-\d+|P-100\^EHR/g, number);
const gonorrhea = obx
  .replace('43304-5^C. trachomatis rRNA^LN^CT^Chlamydia^L', '43305-2^N. gonorrhoeae rRNA^LN')
  .replace('10828004^Positive', '260385009^Negative')
  .replace('^POS^Pos^L^^^POSITIVE', '');
/** A question about the specimen, not a result. */
const volume = 'OBX|1|NM|3169-0^Volume of specimen^LN||2|mL^mL^UCUM|||||F';
const swab = spm.replace('122575003^Urine specimen', '258500001^Swab').replace('S-300', 'S-301');
const read22 = (...segments: string[]) => report([typed('R22'), pid, ...segments].join('\r')).orders;
const told = (orders: ReturnType<typeof read22>) =>
  orders.map(({ placer, specimens, observations, answers }) => ({
    placer: placer?.value,
    specimens: specimens.map(({ filler }) => filler?.value),
    tests: observations.map(({ test }) => test.codes[0]!.code),
    answers: answers.map(({ code }) => code.codes[0]!.code),
  }));

describe('a specimen-centred message is read as a laboratory report', () => {
  test('OUL^R22: each order has the specimen it is under, its own ORC, and its results', () => {
    const orders = read22(
      spm,
      volume,
      ofOrder(obr, 'A-1'),
      orc,
      obx,
      ofOrder(obr, 'A-2'),
      gonorrhea,
      swab,
      ofOrder(obr, 'B-1'),
      obx,
    );
    expect(told(orders)).toEqual([
      { placer: 'A-1', specimens: ['S-300'], tests: ['43304-5'], answers: ['3169-0'] },
      { placer: 'A-2', specimens: ['S-300'], tests: ['43305-2'], answers: ['3169-0'] },
      { placer: 'B-1', specimens: ['S-301'], tests: ['43304-5'], answers: [] },
    ]);
    expect(orders[0]!.facility?.name).toBe('Larch Clinic');
  });

  test('answers about a specimen are not results, even for an order that has no results yet', () => {
    expect(told(read22(spm, volume, ofOrder(obr, 'A-1'), swab, ofOrder(obr, 'B-1'), obx))).toMatchObject([
      { placer: 'A-1', answers: ['3169-0'] },
      { placer: 'B-1', tests: ['43304-5'] },
    ]);
  });

  test('OUL^R23: the container is before its specimen', () => {
    const orders = report(
      [typed('R23'), pid, 'SAC||S-9', spm, ofOrder(obr, 'A-1'), orc, obx].join('\r'),
    ).orders;
    expect(told(orders)).toEqual([{ placer: 'A-1', specimens: ['S-300'], tests: ['43304-5'], answers: [] }]);
  });

  test('OUL^R24: the specimen comes after its order', () => {
    const orders = report(
      [typed('R24'), pid, ofOrder(obr, 'A-1'), orc, obx, spm, ofOrder(obr, 'B-1'), gonorrhea, swab].join(
        '\r',
      ),
    ).orders;
    expect(told(orders)).toEqual([
      { placer: 'A-1', specimens: ['S-300'], tests: ['43304-5'], answers: [] },
      { placer: 'B-1', specimens: ['S-301'], tests: ['43305-2'], answers: [] },
    ]);
    expect(orders[0]!.facility?.name).toBe('Larch Clinic');
  });

  test('any other OUL is refused with its name', () => {
    expect(read([typed('R21'), pid, obr, obx].join('\r'))).toMatchObject({
      outcome: 'refused',
      faults: [{ code: 'not-elr', params: { type: 'OUL^R21' } }],
    });
  });
});
