import { describe, expect, test } from 'vitest';
import { familiesInText, familiesOfRaw, textWithout } from './families-in-text.ts';

describe('[P18] the families that words may be about', () => {
  test.each([
    'HIV',
    'H.I.V.',
    'HIVRAP HIV 1 and 2 antibody rapid',
    'HIV 1 Western blot',
    'HIV1/2',
    'LABHIV4',
    'AIDS defining illness',
    'Human immunodeficiency virus',
    'VIH-1, carga viral',
    'Virus de la inmunodeficiencia humana',
    'SIDA',
    'Virus de l’immunodéficience humaine',
    'CD4',
  ])('%s: HIV among them', (words) => {
    expect(familiesInText(words)).toContain('hiv');
  });

  test.each(['Hives', 'Shiv Kumar', 'Cells', 'Subtype', 'Severe combined immunodeficiency', 'Western blot'])(
    '%s: not HIV',
    (words) => {
      expect(familiesInText(words)).not.toContain('hiv');
    },
  );

  test.each([
    ['Syphilis screen', 'syphilis'],
    ['Chlamydia', 'chlamydia'],
    ['Hepatitis B surface antigen', 'hepatitis-b'],
    ['Hepatitis C', 'hepatitis-c'],
  ])('%s: %s, for a tenant that hides it', (words, family) => {
    expect(familiesInText(words)).toContain(family);
  });

  test.each(['12 East Bay St', 'Luis', 'Western', 'unknown'])(
    'a word that is in one family’s names by chance means nothing: %s',
    (words) => {
      expect(familiesInText(words)).toEqual([]);
    },
  );

  test('text that was not parsed is never treated as free of a family', () => {
    expect(familiesOfRaw('PID|1||||Ruiz^Luis|12 East Bay St')).toEqual(['?']);
    expect(familiesOfRaw('OBX|1|ST|HIVRAP^HIV 1 and 2 antibody rapid')).toEqual(['?', 'hiv']);
    expect(familiesOfRaw('OBX|1|CWE|21613-5^Nucleic acid^LN')).toEqual(['?', 'chlamydia']);
    // Two bytes for each letter, as a spreadsheet saves it, read as single bytes.
    expect(familiesOfRaw('H\0I\0V\0 \0r\0a\0p\0i\0d\0')).toEqual(['?', 'hiv']);
  });
});

describe('[P18] a text for readers who may not see a family', () => {
  const message = (separator: string) =>
    [
      'MSH|^~\\&|LIS|Peach State Laboratory',
      'OBR|1||F-1|21613-5^Chlamydia trachomatis DNA^LN|||||||||||||||||||||||||||B20^^I10',
      'NTE|1||Known HIV positive, on treatment',
      'DG1|1||Z21^Asymptomatic^I10',
      'OBX|1|CWE|21613-5^Chlamydia trachomatis DNA^LN||260373001^Detected^SCT|B20.1',
      'NTE|1||Sample B20, tube Z21, from the left',
    ]
      .join('\r')
      .replaceAll('|', separator);

  test('has no field that names it, with any separator', () => {
    for (const separator of ['|', ']', '#'])
      expect(textWithout(['hiv'], message(separator)).split('\r')).toEqual(
        [
          'MSH|^~\\&|LIS|Peach State Laboratory',
          'OBR|1||F-1|21613-5^Chlamydia trachomatis DNA^LN|||||||||||||||||||||||||||',
          'NTE|1||',
          'DG1|1||',
          'OBX|1|CWE|21613-5^Chlamydia trachomatis DNA^LN||260373001^Detected^SCT|B20.1',
          'NTE|1||Sample B20, tube Z21, from the left',
        ].map((segment) => segment.replaceAll('|', separator)),
      );
  });

  test('has no cell that names it, quoted or not', () => {
    expect(textWithout(['hiv'], 'Ruiz,"HIV, on ""ART""\nsince 2020",1990-01-01,VIH,Z21,"a, b"', ',')).toBe(
      'Ruiz,,1990-01-01,,,"a, b"',
    );
    expect(textWithout(['syphilis'], 'Ruiz;Syphilis in 2019;HIV', ';')).toBe('Ruiz;;HIV');
  });

  test('is whole for readers from whom nothing is hidden', () => {
    expect(textWithout([], message('|'))).toBe(message('|'));
  });
});
