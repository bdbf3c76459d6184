import { nameOfTimeZone } from '@caseway/contract/time-zone';
import { clockIn } from '@caseway/contract/zoned-time';

/** `Intl` has no Haitian Creole. */
const creole = {
  days: ['dimanch', 'lendi', 'madi', 'mèkredi', 'jedi', 'vandredi', 'samdi'],
  months: [
    'janvye', 'fevriye', 'mas', 'avril', 'me', 'jen', 'jiyè', 'out', 'septanm', 'oktòb', 'novanm', 'desanm',
  ], // biome-ignore format: a table
} as const;

/** When a visit is, in words for the body of a message: the day, the time and the time zone. */
export function visitTimeIn(language: string, timeZone: string, startsAt: string): string {
  const base = language.split('-')[0]!;
  const zone = nameOfTimeZone(timeZone, language);
  const { day, time } = clockIn(timeZone, startsAt);
  if (base === 'ht') {
    const [year, month, date] = day.split('-').map(Number) as [number, number, number];
    const weekday = creole.days[new Date(`${day}T00:00:00Z`).getUTCDay()];
    return `${weekday} ${date} ${creole.months[month - 1]} ${year}, ${time}\n${zone}`;
  }
  const inWords = new Intl.DateTimeFormat(base === 'es' ? 'es-US' : 'en-US', {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).format(new Date(startsAt));
  const clock =
    base === 'es'
      ? time
      : new Intl.DateTimeFormat('en-US', { timeZone, timeStyle: 'short' })
          .format(new Date(startsAt))
          // The space before AM and PM is a narrow one, which some mail programs do not show.
          .replaceAll(/\s/g, ' ');
  return `${inWords}, ${clock}\n${zone}`;
}
