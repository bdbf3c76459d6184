/** Current names of places that have an old name in the time zone database. */
const placesToday: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Asmara',
  'America/Coral_Harbour': 'Atikokan',
  'America/Godthab': 'Nuuk',
  'Asia/Calcutta': 'Kolkata',
  'Asia/Dacca': 'Dhaka',
  'Asia/Katmandu': 'Kathmandu',
  'Asia/Macao': 'Macau',
  'Asia/Rangoon': 'Yangon',
  'Asia/Saigon': 'Ho Chi Minh City',
  'Asia/Thimbu': 'Thimphu',
  'Asia/Ulan_Bator': 'Ulaanbaatar',
  'Atlantic/Faeroe': 'Faroe Islands',
  'Europe/Kiev': 'Kyiv',
  'Pacific/Enderbury': 'Kanton',
  'Pacific/Ponape': 'Pohnpei',
  'Pacific/Truk': 'Chuuk',
};

/** Places with their own name in a language. */
const placesIn: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  es: {
    'America/New_York': 'Nueva York',
    'America/Puerto_Rico': 'Puerto Rico',
    'America/Port-au-Prince': 'Puerto Príncipe',
  },
  ht: {
    'America/New_York': 'Nouyòk',
    'America/Puerto_Rico': 'Pòtoriko',
    'America/Port-au-Prince': 'Pòtoprens',
  },
};

/**
 * Haitian Creole for the times of the Americas and the Caribbean, which `Intl` lacks; elsewhere only the
 * place.
 */
const creoleTimes: Readonly<Record<string, string>> = {
  'Eastern Time': 'Lè lès',
  'Central Time': 'Lè santral',
  'Mountain Time': 'Lè mòn',
  'Mountain Standard Time': 'Lè mòn',
  'Pacific Time': 'Lè Pasifik',
  'Atlantic Time': 'Lè Atlantik',
  'Atlantic Standard Time': 'Lè Atlantik',
  'Alaska Time': 'Lè Alaska',
  'Hawaii-Aleutian Time': 'Lè Awayi',
  'Hawaii-Aleutian Standard Time': 'Lè Awayi',
};

/** The zones where most people in the United States and its territories live, from east to west. */
const mainZones = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Phoenix',
  'America/Los_Angeles',
  'America/Anchorage',
  'Pacific/Honolulu',
  'America/Puerto_Rico',
  'America/St_Thomas',
  'Pacific/Guam',
  'Pacific/Saipan',
  'Pacific/Pago_Pago',
];
/** The other zones of the United States. */
const otherZones =
  /^America\/(Adak|Boise|Detroit|Fort_Wayne|Indiana|Indianapolis|Indiana\/.*|Juneau|Kentucky\/.*|Knox_IN|Louisville|Menominee|Metlakatla|Nome|North_Dakota\/.*|Shiprock|Sitka|Yakutat)$/;

const eastern = ['America/New_York'];
const central = ['America/Chicago'];
const mountain = ['America/Denver'];
const pacific = ['America/Los_Angeles'];

/** The zones of each state and territory by FIPS code, the most populous first. */
const zonesByState: Readonly<Record<string, readonly string[]>> = {
  '01': central,
  '02': [
    'America/Anchorage',
    'America/Juneau',
    'America/Sitka',
    'America/Nome',
    'America/Yakutat',
    'America/Metlakatla',
    'America/Adak',
  ],
  '04': ['America/Phoenix', ...mountain],
  '05': central,
  '06': pacific,
  '08': mountain,
  '09': eastern,
  '10': eastern,
  '11': eastern,
  '12': [...eastern, ...central],
  '13': eastern,
  '15': ['Pacific/Honolulu'],
  '16': ['America/Boise', ...pacific],
  '17': central,
  '18': ['America/Indianapolis', ...central],
  '19': central,
  '20': [...central, ...mountain],
  '21': [...eastern, 'America/Louisville', ...central],
  '22': central,
  '23': eastern,
  '24': eastern,
  '25': eastern,
  '26': ['America/Detroit', 'America/Menominee'],
  '27': central,
  '28': central,
  '29': central,
  '30': mountain,
  '31': [...central, ...mountain],
  '32': [...pacific, ...mountain],
  '33': eastern,
  '34': eastern,
  '35': mountain,
  '36': eastern,
  '37': eastern,
  '38': [...central, ...mountain],
  '39': eastern,
  '40': central,
  '41': [...pacific, 'America/Boise'],
  '42': eastern,
  '44': eastern,
  '45': eastern,
  '46': [...central, ...mountain],
  '47': [...central, ...eastern],
  '48': [...central, ...mountain],
  '49': mountain,
  '50': eastern,
  '51': eastern,
  '53': pacific,
  '54': eastern,
  '55': central,
  '56': mountain,
  '60': ['Pacific/Pago_Pago'],
  '66': ['Pacific/Guam'],
  '69': ['Pacific/Saipan'],
  '72': ['America/Puerto_Rico'],
  '78': ['America/St_Thomas'],
};

/** The zones of a state or territory, the most populous first; none if it is not a state. */
export const zonesOfState = (fips: string): readonly string[] => zonesByState[fips] ?? [];

/**
 * How close a zone is to readers in the United States: 0 for its main zones, 1 for its others, 2 elsewhere.
 */
export const zoneRank = (zone: string): 0 | 1 | 2 =>
  mainZones.includes(zone) ? 0 : otherZones.test(zone) ? 1 : 2;

/** United States zones first, from east to west, then UTC, then all others by place. */
export const inOrderOfZones = (zones: readonly string[]): string[] =>
  zones.toSorted(
    (a, b) =>
      zoneRank(a) - zoneRank(b) ||
      (zoneRank(a) === 0 ? mainZones.indexOf(a) - mainZones.indexOf(b) : 0) ||
      Number(b === 'UTC') - Number(a === 'UTC') ||
      placeOf(a, 'en').localeCompare(placeOf(b, 'en'), 'en'),
  );

/** The place a zone is named after. */
function placeOf(zone: string, language: string): string {
  const own = placesIn[language.split('-')[0]!]?.[zone] ?? placesToday[zone];
  if (own) return own;
  const [, ...parts] = zone.split('/');
  return (parts.length > 0 ? parts : [zone]).toReversed().join(', ').replaceAll('_', ' ');
}

/** The current name of a zone's time, whatever it was in other years. */
const timeOf = (zone: string, language: string, now: Date): string =>
  new Intl.DateTimeFormat(language, { timeZone: zone, timeZoneName: 'longGeneric' })
    .formatToParts(now)
    .find((part) => part.type === 'timeZoneName')!.value;

const names = new Map<string, string>();

/** A time zone's name in a language, the same on every screen: `Eastern Time (New York)`. */
export function nameOfTimeZone(zone: string, language: string, now = new Date()): string {
  const key = `${language} ${zone}`;
  const known = names.get(key);
  if (known !== undefined) return known;
  let name: string;
  if (zone === 'UTC') name = 'UTC';
  else {
    const english = timeOf(zone, 'en', now);
    const time = language.startsWith('ht')
      ? (creoleTimes[english] ?? 'Lè')
      : language === 'en'
        ? english
        : timeOf(zone, language, now);
    name = `${time.charAt(0).toUpperCase()}${time.slice(1)} (${placeOf(zone, language)})`;
  }
  names.set(key, name);
  return name;
}
