import { phoneNumber } from '@caseway/contract/codes';
import { z } from 'zod';

/** A patient's name: `{email}`, `{phone}` or `{patientId}`. */
export type Who = { email: string } | { phone: string } | { patientId: string };

const email = z.email().max(254);

/** Why the typed text is not a valid name. */
export type WhoFault = 'empty' | 'email' | 'areaCode' | 'phone' | 'other';

/** Numbers on invitations have eight unmistakable characters; see `newPatientNumber` on the server. */
const invitationNumber = /^[a-hjkmnp-z][a-hjkmnp-z2-9]{7}$/i;

/**
 * The name typed into the single field. An email address has an at sign, a telephone number only digits (of
 * the United States without a country code), a patient number also letters. A word without digits is a
 * patient number only if an invitation can have it. Otherwise, the reason why it is none of these.
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

/** The day in three fields, `YYYY-MM-DD`; null if it does not exist. */
export function dayOf(year: string, month: string, day: string): string | null {
  if (!/^\d{4}$/.test(year) || !/^\d{1,2}$/.test(month) || !/^\d{1,2}$/.test(day)) return null;
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : null;
}
