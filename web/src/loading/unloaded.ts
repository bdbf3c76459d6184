/** Shows index.html's message in every language if the page is otherwise empty, so that it is never blank. */
export function sayUnloaded(): void {
  if (document.getElementById('root')!.childElementCount === 0)
    document.getElementById('unloaded')!.hidden = false;
}
