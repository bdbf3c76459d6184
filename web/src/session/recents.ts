import { type FoundKind, foundKinds, listPaths } from '@caseway/contract/search';
import { z } from 'zod';
import { browserStore, readJson } from './storage.ts';

/*
 * The records a user opened last in each organization, in this browser: kinds and ids, but no names, which
 * are requested when shown.
 */

const recentsKey = 'caseway.recent';
/** The most records per organization, and the most organizations. */
const recordsAtMost = 8;
const orgsAtMost = 10;

export interface Recent {
  kind: FoundKind;
  id: string;
}

const recent = z.strictObject({ kind: z.enum(foundKinds), id: z.uuid() });
/** By user, the recent records of each organization (`orgType:id`), the organization used last first. */
const kept = z.record(
  z.string(),
  z.array(z.tuple([z.string(), z.array(recent).max(recordsAtMost)])).max(orgsAtMost),
);

const read = () => kept.safeParse(readJson(browserStore, recentsKey)).data ?? {};

/** Latest first. */
export const recentsOf = (userId: string, org: string): readonly Recent[] =>
  (read()[userId] ?? []).find(([name]) => name === org)?.[1] ?? [];

export function noteRecent(userId: string, org: string, { kind, id }: Recent): void {
  const all = read();
  const own = all[userId] ?? [];
  const before = own.find(([name]) => name === org)?.[1] ?? [];
  const now = [{ kind, id }, ...before.filter((one) => one.id !== id)].slice(0, recordsAtMost);
  const others = own.filter(([name]) => name !== org);
  browserStore.set(
    recentsKey,
    JSON.stringify({ ...all, [userId]: [[org, now], ...others].slice(0, orgsAtMost) }),
  );
}

/** The record whose screen has this address; undefined for any other screen. */
export function recordAt(pathname: string): Recent | undefined {
  const cut = pathname.lastIndexOf('/');
  const id = pathname.slice(cut + 1);
  const kind = foundKinds.find((one) => listPaths[one] === pathname.slice(0, cut));
  return kind && z.uuid().safeParse(id).success ? { kind, id } : undefined;
}

/** Remembers the opened record, if the address is a record's. */
export function noteVisit(userId: string, org: string, pathname: string): void {
  const record = recordAt(pathname);
  if (record) noteRecent(userId, org, record);
}
