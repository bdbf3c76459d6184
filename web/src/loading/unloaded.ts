/**
 * Shows the message of index.html, in every language, if there is nothing else on the page, so that it is never blank.
 */
export function sayUnloaded(): void {
  if (document.getElementById('root')!.childElementCount === 0)
    document.getElementById('unloaded')!.hidden = false;
}
