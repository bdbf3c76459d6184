import { followUpFound } from '@caseway/contract/follow-up';
import { z } from 'zod';

const { shape } = followUpFound;
export const unitSigns = { '[degF]': '°F', Cel: '°C' } as const;
/** Text as typed; blanks only mean no value. */
const typed = (schema: z.ZodType, read: (text: string) => unknown = (text) => text) =>
  z.preprocess((value) => (String(value).trim() === '' ? null : read(String(value).trim())), schema);

/** What staff or the person themselves enter for a day of follow-up. */
export const typedOfDay = {
  // Some people type a comma.
  temperature: typed(shape.temperature, (text) => Number(text.replace(',', '.'))),
  note: typed(shape.note),
};
