import { z } from 'zod';
import { browserStore, readJson } from './storage.ts';

const recentOrgsKey = 'caseway.recent-orgs';
const recentAtMost = 6;

/** Per user, so that organizations are not shown to another user. */
const kept = z.record(z.string(), z.array(z.string()).max(recentAtMost));

const read = () => kept.safeParse(readJson(browserStore, recentOrgsKey)).data ?? {};

/** The organizations a user has worked for in this browser, `orgType:id`, latest first. */
export const recentOrgs = (userId: string): readonly string[] => read()[userId] ?? [];

export function noteOrg(userId: string, org: string): void {
  const all = read();
  const recent = [org, ...(all[userId] ?? []).filter((one) => one !== org)].slice(0, recentAtMost);
  browserStore.set(recentOrgsKey, JSON.stringify({ ...all, [userId]: recent }));
}
