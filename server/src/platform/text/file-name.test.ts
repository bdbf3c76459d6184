import { expect, test } from 'vitest';
import { attachment, nameOfFile } from './file-name.ts';

test.each([
  ['report\u202efdp.exe', 'reportfdp.exe'],
  ['a\r\nSet-Cookie: x=1.hl7', 'a  Set-Cookie: x=1.hl7'],
  ['two\u2028lines.csv', 'two lines.csv'],
  ['\u2066\u200f', 'file'],
  ['Résultats du 3 mai.hl7', 'Résultats du 3 mai.hl7'],
])('the name of a file shows its ending, on one line: %j', (given, said) => {
  expect(nameOfFile(given)).toBe(said);
});

test('the header of a download has the name in the spelling of addresses', () => {
  expect(attachment('Résultats (1).pdf')).toBe("attachment; filename*=UTF-8''R%C3%A9sultats%20%281%29.pdf");
  expect(attachment("l'avis*.pdf")).toBe("attachment; filename*=UTF-8''l%27avis%2A.pdf");
});
