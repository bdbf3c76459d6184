import { z } from 'zod';
import { browserStore, readJson } from './storage.ts';

const recentOrgsKey = 'caseway.recent-orgs';
const recentAtMost = 6;

/** Each person's own: one person's organisations are not shown to the next. */
const kept = z.record(z.string(), z.array(z.string()).max(recentAtMost));

const read = () => kept.safeParse(readJson(browserStore, recentOrgsKey)).data ?? {};

/** The organisations that a person has acted for in this browser, `orgType:id`, the latest first. */
export const recentOrgs = (userId: string): readonly string[] => read()[userId] ?? [];

export function noteOrg(userId: string, org: string): void {
  const all = read();
  const recent = [org, ...(all[userId] ?? []).filter((one) => one !== org)].slice(0, recentAtMost);
  browserStore.set(recentOrgsKey, JSON.stringify({ ...all, [userId]: recent }));
}
