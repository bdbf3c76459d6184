import { describe, expect, test } from 'vitest';
import { nameFromWhole, withSuffixApart } from './person-name.ts';

/** Family, given, middle, suffix; missing parts are blank. */
const parts = ({ family = '', given = '', middle = '', suffix = '' }) => [family, given, middle, suffix];

/* Worked out by hand, as the people would give their names. */
describe('a name in one cell', () => {
  test.each([
    // One word, two words.
    ['Cher', 'Cher', '', '', ''],
    ['Ana Ruiz', 'Ruiz', 'Ana', '', ''],
    ['Mutlaq el-Matar', 'el-Matar', 'Mutlaq', '', ''],
    ["Sean O'Brien", "O'Brien", 'Sean', '', ''],
    ['Anne-Marie Duval', 'Duval', 'Anne-Marie', '', ''],
    ['Mary Smith-Jones', 'Smith-Jones', 'Mary', '', ''],
    // Middle names and initials.
    ['John Michael Smith', 'Smith', 'John', 'Michael', ''],
    ['John Q. Public', 'Public', 'John', 'Q.', ''],
    ['J. R. R. Tolkien', 'Tolkien', 'J.', 'R. R.', ''],
    ['John Michael David Smith', 'Smith', 'John', 'Michael David', ''],
    ['Mary Elizabeth Ann Brown', 'Brown', 'Mary', 'Elizabeth Ann', ''],
    // Suffixes.
    ['Armijo Jr', 'Armijo', '', '', 'Jr'],
    ['Peter Armijo Jr', 'Armijo', 'Peter', '', 'Jr'],
    ['Peter Armijo Jr.', 'Armijo', 'Peter', '', 'Jr.'],
    ['Peter Armijo, Jr.', 'Armijo', 'Peter', '', 'Jr.'],
    ['John Q Smith III', 'Smith', 'John', 'Q', 'III'],
    ['Henry Ford II', 'Ford', 'Henry', '', 'II'],
    ['Sammy Davis Sr.', 'Davis', 'Sammy', '', 'Sr.'],
    ['Thurston Howell 3rd', 'Howell', 'Thurston', '', '3rd'],
    ['João da Silva Junior', 'da Silva', 'João', '', 'Junior'],
    ['Lakshmi Narayan V', 'V', 'Lakshmi', 'Narayan', ''],
    // Titles, degrees and nicknames are not part of a name.
    ['Dr. Nell Reed', 'Reed', 'Nell', '', ''],
    ['Mrs Ada Okafor', 'Okafor', 'Ada', '', ''],
    ['Sra. María López', 'López', 'María', '', ''],
    ['Nell Reed, MD', 'Reed', 'Nell', '', ''],
    ['Nell Reed MD', 'Reed', 'Nell', '', ''],
    ['Robert "Bob" Hart', 'Hart', 'Robert', '', ''],
    ['Robert (Bob) Hart Jr', 'Hart', 'Robert', '', 'Jr'],
    ['Mae Ma', 'Ma', 'Mae', '', ''],
    ['Mr Bean', 'Bean', '', '', ''],
    // Particles belong to the family name.
    ['Juan de la Cruz', 'de la Cruz', 'Juan', '', ''],
    ['Vincent van Gogh', 'van Gogh', 'Vincent', '', ''],
    ['Jan van der Berg', 'van der Berg', 'Jan', '', ''],
    ['Ludwig von Mises', 'von Mises', 'Ludwig', '', ''],
    ['Charles de Gaulle', 'de Gaulle', 'Charles', '', ''],
    ['Anna Maria van den Heuvel', 'van den Heuvel', 'Anna', 'Maria', ''],
    ['Leonardo di Caprio', 'di Caprio', 'Leonardo', '', ''],
    ['Robert De Niro', 'De Niro', 'Robert', '', ''],
    ['Paul Le Blanc', 'Le Blanc', 'Paul', '', ''],
    ['Eva St. Clair', 'St. Clair', 'Eva', '', ''],
    ['Omar bin Laden', 'bin Laden', 'Omar', '', ''],
    ['Mohammed bin Rashid Al Maktoum', 'Al Maktoum', 'Mohammed', 'bin Rashid', ''],
    ['de la Rosa', 'de la Rosa', '', '', ''],
    ['An Van Nguyen', 'Nguyen', 'An', 'Van', ''],
    ['Thi Le Tran', 'Tran', 'Thi', 'Le', ''],
    // Two family names, both kept.
    ['María García López', 'García López', 'María', '', ''],
    ['Ana María García López', 'García López', 'Ana', 'María', ''],
    ['Juan Carlos Hernández Ruiz', 'Hernández Ruiz', 'Juan', 'Carlos', ''],
    ['Gabriel José García Márquez', 'García Márquez', 'Gabriel', 'José', ''],
    ['José Ortega y Gasset', 'Ortega y Gasset', 'José', '', ''],
    ['María del Carmen López', 'López', 'María del Carmen', '', ''],
    ['María del Carmen Pérez Soto', 'Pérez Soto', 'María del Carmen', '', ''],
    ['María García de López', 'García de López', 'María', '', ''],
    ['Ana María de los Ángeles Pérez', 'Pérez', 'Ana', 'María de los Ángeles', ''],
    ['Luis Fernández de Córdova', 'Fernández de Córdova', 'Luis', '', ''],
    ['Sarah Jane Whitlock Pryce', 'Whitlock Pryce', 'Sarah', 'Jane', ''],
    ['Pedro Rodríguez Sosa Jr.', 'Rodríguez Sosa', 'Pedro', '', 'Jr.'],
    // Family name, comma, given name.
    ['Okoro, Tam', 'Okoro', 'Tam', '', ''],
    ['Smith, John Michael', 'Smith', 'John', 'Michael', ''],
    ['García López, Ana María', 'García López', 'Ana', 'María', ''],
    ['de la Cruz, Juan', 'de la Cruz', 'Juan', '', ''],
    ['van der Berg, Jan Willem', 'van der Berg', 'Jan', 'Willem', ''],
    ['Smith Jr, John', 'Smith', 'John', '', 'Jr'],
    ['Smith, Jr., John', 'Smith', 'John', '', 'Jr.'],
    ['Smith, John, III', 'Smith', 'John', '', 'III'],
    ['Smith, John Q Sr', 'Smith', 'John', 'Q', 'Sr'],
    ['SMITH,JOHN', 'SMITH', 'JOHN', '', ''],
    ['Reed, Nell, RN', 'Reed', 'Nell', '', ''],
    ['Cruz, María del Carmen', 'Cruz', 'María del Carmen', '', ''],
    ['Reed,', 'Reed', '', '', ''],
    ['Pierre-Louis, Jean Baptiste', 'Pierre-Louis', 'Jean', 'Baptiste', ''],
  ])('%s', (whole, ...expected) => {
    expect(parts(nameFromWhole(whole))).toEqual(expected);
  });

  test.each([
    ['García López Ana María', 'García López', 'Ana', 'María', ''],
    ['Ruiz Ana', 'Ruiz', 'Ana', '', ''],
    ['Pérez Soto Luis', 'Pérez Soto', 'Luis', '', ''],
    ['de la Cruz Juan', 'de la Cruz', 'Juan', '', ''],
    ['Whitlock Sarah Jane', 'Whitlock', 'Sarah', 'Jane', ''],
  ])('family names first: %s', (whole, ...expected) => {
    expect(parts(nameFromWhole(whole, 'family-first'))).toEqual(expected);
  });
});

describe('a suffix after one part of a name that comes in parts', () => {
  test.each([
    [{ family: 'Armijo Jr', given: 'Peter' }, 'Armijo', 'Peter', '', 'Jr'],
    [{ family: 'Armijo, Jr.', given: 'Peter' }, 'Armijo', 'Peter', '', 'Jr.'],
    [{ family: 'García López III', given: 'Ana' }, 'García López', 'Ana', '', 'III'],
    [{ family: 'Smith', given: 'John Sr' }, 'Smith', 'John', '', 'Sr'],
    [{ family: 'Smith Jr', given: 'John', suffix: 'JR.' }, 'Smith', 'John', '', 'JR.'],
    // A person decides which of the two is right.
    [{ family: 'Smith Jr', given: 'John', suffix: 'III' }, 'Smith Jr', 'John', '', 'III'],
    [{ family: 'Jr', given: 'John' }, 'Jr', 'John', '', ''],
    [{ family: 'van der Berg', given: 'Mary Ann' }, 'van der Berg', 'Mary Ann', '', ''],
    [{ given: 'Ana' }, '', 'Ana', '', ''],
  ])('%o', (name, ...expected) => {
    expect(parts(withSuffixApart(name))).toEqual(expected);
  });
});
