import type { Random } from './random.ts';

/** A community: its share of the demo population, its languages, and its common names. */
interface Community {
  share: number;
  language: string;
  /** Share of the community that prefers its language to English. */
  prefers: number;
  races: readonly (readonly [race: string, weight: number])[];
  hispanic: number;
  female: readonly string[];
  male: readonly string[];
  last: readonly string[];
  /** Two family names, as in Spanish-speaking countries. */
  twoFamilyNames?: boolean;
}

const white = '2106-3';
const black = '2054-5';
const asian = '2028-9';
const native = '1002-5';
const pacific = '2076-8';
const other = '2131-1';

const words = (text: string) => text.split(' ');

/** Common given and family names, combined at random: no combination means a real person. */
export const communities: readonly Community[] = [
  {
    share: 0.47,
    language: 'en',
    prefers: 1,
    races: [
      [white, 86],
      [black, 8],
      [native, 1],
      [other, 5],
    ],
    hispanic: 0.03,
    female: words(
      'Emma Olivia Ava Sophia Grace Hannah Abigail Madison Chloe Ella Lily Claire Audrey Nora Hazel Violet Ruth Martha Joan Carol Linda Susan Karen Donna Cheryl Tamara Heather Erin Megan Caitlin',
    ),
    male: words(
      'Liam Noah James William Henry Lucas Benjamin Mason Ethan Logan Jack Owen Wyatt Caleb Nathan Samuel Walter Harold Frank Gerald Dennis Roger Keith Brian Kevin Scott Todd Derek Travis Cody',
    ),
    last: words(
      'Smith Johnson Miller Davis Wilson Anderson Taylor Moore Jackson Martin Thompson Harris Clark Lewis Walker Hall Allen Young King Wright Hill Green Baker Nelson Carter Mitchell Turner Parker Collins Stewart Morris Rogers Reed Cook Bell Murphy Bailey Cooper Ward Peterson Gray Watson Brooks Kelly Sanders Price Bennett Wood Barnes Ross Henderson Coleman Perry Powell',
    ),
  },
  {
    share: 0.14,
    language: 'en',
    prefers: 1,
    races: [
      [black, 94],
      [white, 2],
      [other, 4],
    ],
    hispanic: 0.02,
    female: words(
      'Aaliyah Imani Nia Jada Kiara Ebony Tanisha Latoya Monique Denise Yolanda Gloria Shanice Brianna Zuri Amara Keisha Renee Simone Vanessa',
    ),
    male: words(
      'Malik Jamal Darius Andre Tyrone Marcus Terrence Isaiah Elijah Xavier Jalen Reginald Curtis Leroy Otis Maurice Dwayne Desmond Kofi Trevon',
    ),
    last: words(
      'Williams Washington Jefferson Robinson Freeman Banks Booker Dawson Gaines Hampton Hayes Ingram Jenkins Mosley Pettway Ruffin Simmons Tolliver Vaughn Whitfield Bryant Daniels Franklin Gibson Holloway',
    ),
  },
  {
    share: 0.25,
    language: 'es',
    prefers: 0.45,
    races: [
      [white, 62],
      [other, 24],
      [black, 8],
      [native, 2],
    ],
    hispanic: 0.97,
    female: words(
      'María Lucía Sofía Valentina Camila Isabella Gabriela Daniela Andrea Carmen Rosa Ana Luz Elena Beatriz Yolanda Inés Mónica Verónica Adriana Ximena Concepción Guadalupe Marisol',
    ),
    male: words(
      'José Juan Luis Carlos Jesús Miguel Ángel Diego Mateo Santiago Andrés Javier Raúl Héctor Óscar Fernando Ramón Iván Joaquín Adrián Ignacio Sebastián Tomás Rubén',
    ),
    last: words(
      'García Rodríguez Martínez Hernández López González Pérez Sánchez Ramírez Torres Flores Rivera Gómez Díaz Reyes Morales Cruz Ortiz Gutiérrez Chávez Ramos Ruiz Álvarez Mendoza Vásquez Castillo Jiménez Romero Núñez Peña Ibáñez Muñoz Suárez Cárdenas',
    ),
    twoFamilyNames: true,
  },
  {
    share: 0.05,
    language: 'ht',
    prefers: 0.6,
    races: [
      [black, 97],
      [other, 3],
    ],
    hispanic: 0.01,
    female: words(
      'Marie Rose Guerline Nadège Fabiola Mirlande Widline Roseline Yolette Ketsia Darline Esther Ghislaine Lovely Magalie Naomie',
    ),
    male: words(
      'Jean Pierre Wilner Frantz Jacques Ronald Emmanuel Stanley Wisly Evens Kervens Rodney Fritz Gérard Lucien Yves',
    ),
    last: words(
      'Jean-Baptiste Pierre-Louis Toussaint Dorvil Estimé Desir Charles Joseph Augustin Celestin Étienne François Saint-Fleur Cadet Exantus Laguerre Metellus Noël Philogène Valcin',
    ),
  },
  {
    share: 0.03,
    language: 'vi',
    prefers: 0.4,
    races: [
      [asian, 99],
      [other, 1],
    ],
    hispanic: 0,
    female: words('Linh Mai Hương Lan Thảo Trang Phương Ngọc Hà Yến'),
    male: words('Minh Tuấn Hùng Dũng Long Quân Đức Nam Khánh Phúc'),
    last: words('Nguyễn Trần Lê Phạm Huỳnh Vũ Đặng Bùi Đỗ Hồ'),
  },
  {
    share: 0.02,
    language: 'zh',
    prefers: 0.4,
    races: [
      [asian, 99],
      [other, 1],
    ],
    hispanic: 0,
    female: words('Li-Na Xiu-Ying Mei Yan Jing Hui-Min Xiao-Yan Fang'),
    male: words('Wei Jun Ming Hao Jian-Guo Zhi-Qiang Lei Feng'),
    last: words('Wang Li Zhang Liu Chen Yang Huang Zhao Wu Zhou'),
  },
  {
    share: 0.02,
    language: 'pt',
    prefers: 0.4,
    races: [
      [white, 60],
      [other, 25],
      [black, 15],
    ],
    hispanic: 0.05,
    female: words('Ana Beatriz Juliana Larissa Fernanda Patrícia Conceição Luíza'),
    male: words('João Pedro Thiago Rafael Gustavo Antônio Leandro Vinícius'),
    last: words('Silva Santos Oliveira Souza Lima Araújo Conceição Gonçalves Magalhães'),
  },
  {
    share: 0.02,
    language: 'ar',
    prefers: 0.3,
    races: [
      [white, 70],
      [other, 30],
    ],
    hispanic: 0,
    female: words('Fatima Layla Noor Aisha Yasmin Huda Salma Rania'),
    male: words('Omar Ali Hassan Khalid Yusuf Ibrahim Tariq Bilal'),
    last: words("Haddad Khalil Mansour Al-Amin Nassar Said Abdallah Hakim O'Mara"),
  },
];

export interface PersonName {
  first: string;
  middle: string | null;
  last: string;
}

/** A name of the community, for a sex (F, M; either for anything else). */
export function nameIn(community: Community, sex: string, random: Random): PersonName {
  const given =
    sex === 'F'
      ? community.female
      : sex === 'M'
        ? community.male
        : random.pick([community.female, community.male]);
  const last = random.pick(community.last);
  return {
    first: random.pick(given),
    middle: random.chance(0.35) ? random.pick(given) : null,
    last: community.twoFamilyNames && random.chance(0.55) ? `${last} ${random.pick(community.last)}` : last,
  };
}

export const raceCodes = { white, black, asian, native, pacific, other };
