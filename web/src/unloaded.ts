/** Shows the message of index.html, in every language, where nothing else is on the page. A blank page is never left. */
export function sayUnloaded(): void {
  if (document.getElementById('root')!.childElementCount === 0)
    document.getElementById('unloaded')!.hidden = false;
}
