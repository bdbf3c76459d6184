import { phoneNumber } from '@caseway/contract/codes';
import { z } from 'zod';

/** What a patient can name: `{email}`, `{phone}` or `{patientId}`. */
export type Who = { email: string } | { phone: string } | { patientId: string };

const email = z.email().max(254);

/** Why nobody can be meant by what was typed. */
export type WhoFault = 'empty' | 'email' | 'areaCode' | 'phone' | 'other';

/** Numbers on invitations have eight signs, of which none looks like another; see `newPatientNumber` of the server. */
const invitationNumber = /^[a-hjkmnp-z][a-hjkmnp-z2-9]{7}$/i;

/**
 * Who is meant by what was typed into one field: a mail address has an at sign, a telephone number digits alone (of the
 * United States where no country is before it), a patient number letters too. A word without digits is one only where
 * it can be on an invitation. Else why it is none of these.
 */
export function readWho(typed: string): { who: Who } | { fault: WhoFault } {
  const text = typed.trim();
  if (text === '') return { fault: 'empty' };
  if (text.includes('@'))
    return email.safeParse(text).success ? { who: { email: text } } : { fault: 'email' };
  const plain = text.replaceAll(/[\s().-]/g, '');
  if (/^\+?\d+$/.test(plain)) {
    const phone = plain.startsWith('+') ? plain : plain.length === 11 ? `+${plain}` : `+1${plain}`;
    if (plain.length === 7) return { fault: 'areaCode' };
    return phoneNumber.safeParse(phone).success ? { who: { phone } } : { fault: 'phone' };
  }
  const isNumber = /\d/.test(plain) ? /^[\da-z]{6,40}$/i.test(plain) : invitationNumber.test(plain);
  return isNumber ? { who: { patientId: text } } : { fault: 'other' };
}

/** The day that three fields say, `YYYY-MM-DD`; null for none that there is. */
export function dayOf(year: string, month: string, day: string): string | null {
  if (!/^\d{4}$/.test(year) || !/^\d{1,2}$/.test(month) || !/^\d{1,2}$/.test(day)) return null;
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : null;
}
