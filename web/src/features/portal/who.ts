import { phoneNumber } from '@caseway/contract/codes';
import { z } from 'zod';

/** What a patient can name: `{email}`, `{phone}` or `{patientId}`. */
export type Who = { email: string } | { phone: string } | { patientId: string };

const email = z.email().max(254);

/**
 * Who is meant by what was typed into one field: a mail address has an at sign, a telephone number digits alone (of the
 * United States where no country stands before it), a patient number letters too. Null for anything else.
 */
export function whoIs(typed: string): Who | null {
  const text = typed.trim();
  if (text.includes('@')) return email.safeParse(text).success ? { email: text } : null;
  const plain = text.replaceAll(/[\s().-]/g, '');
  if (/^\+?\d+$/.test(plain)) {
    const phone = plain.startsWith('+') ? plain : plain.length === 11 ? `+${plain}` : `+1${plain}`;
    return phoneNumber.safeParse(phone).success ? { phone } : null;
  }
  return /^[\da-z-]{6,40}$/i.test(plain) ? { patientId: text } : null;
}

/** The day that three fields say, `YYYY-MM-DD`; null for none that there is. */
export function dayOf(year: string, month: string, day: string): string | null {
  if (!/^\d{4}$/.test(year) || !/^\d{1,2}$/.test(month) || !/^\d{1,2}$/.test(day)) return null;
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : null;
}
