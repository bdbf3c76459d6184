import { orgKey } from '@caseway/contract/session';
import { z } from 'zod';
import { readJson, tabStore } from './storage.ts';
import { store } from './store.ts';

const draftsKey = 'caseway.drafts';

const kept = z.object({
  /** Their owner: drafts are not shown to another user. */
  owner: z.string(),
  drafts: z.record(z.string(), z.unknown()),
});

function own(): Record<string, unknown> {
  const read = kept.safeParse(readJson(tabStore, draftsKey));
  return read.success && read.data.owner === store.getState().authentication.user?.id ? read.data.drafts : {};
}

function keep(drafts: Record<string, unknown>): void {
  const owner = store.getState().authentication.user?.id;
  if (owner === undefined || Object.keys(drafts).length === 0) tabStore.remove(draftsKey);
  else tabStore.set(draftsKey, JSON.stringify({ owner, drafts }));
}

/** A draft for one organization is not shown or sent for another. */
function placed(name: string): string {
  const org = store.getState().authentication.selectedTenantOrg;
  return org ? `${orgKey(org)} ${name}` : name;
}

/**
 * Unsent drafts, by form name and organization. They survive a reload, an expired session and being offline,
 * and end with the tab or with signing out.
 */
export function readDraft<Draft>(name: string, schema: z.ZodType<Draft>): Draft | null {
  const read = schema.safeParse(own()[placed(name)]);
  return read.success ? read.data : null;
}

export const saveDraft = (name: string, draft: unknown): void => keep({ ...own(), [placed(name)]: draft });

export function removeDraft(name: string): void {
  const { [placed(name)]: _, ...others } = own();
  keep(others);
}

/** Whether there is any unsent draft, on any screen. */
export const hasDrafts = (): boolean => Object.keys(own()).length > 0;

export const removeDrafts = (): void => tabStore.remove(draftsKey);
