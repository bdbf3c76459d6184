import { notify } from '../session/notify.ts';

/** Copies a link to an address of the product, and says so. */
export async function copyLink(address: string): Promise<void> {
  await navigator.clipboard.writeText(`${window.location.origin}${address}`);
  notify('success', 'gridViews.copied');
}
