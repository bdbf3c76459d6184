import { followUpFound } from '@caseway/contract/follow-up';
import { z } from 'zod';

const { shape } = followUpFound;
/** The signs of units, which are the same in every language. */
export const unitSigns = { '[degF]': '°F', Cel: '°C' } as const;
/** A text as it is typed; blanks only are no value. */
const typed = (schema: z.ZodType, read: (text: string) => unknown = (text) => text) =>
  z.preprocess((value) => (String(value).trim() === '' ? null : read(String(value).trim())), schema);

/** What is typed about a day of a follow-up, by staff or by the person themselves. */
export const typedOfDay = {
  // Some people write a comma.
  temperature: typed(shape.temperature, (text) => Number(text.replace(',', '.'))),
  note: typed(shape.note),
};
