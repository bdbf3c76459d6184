/** The elements whose title was set here. */
const titled = new WeakSet<HTMLElement>();

/** For text in a cell or button, the cut element is a few elements up. */
const levels = 4;

const isCut = (element: HTMLElement): boolean => {
  const wide = element.scrollWidth > element.clientWidth + 1;
  const high = element.scrollHeight > element.clientHeight + 2;
  if (!wide && !high) return false;
  const { textOverflow, webkitLineClamp } = getComputedStyle(element);
  return (wide && textOverflow === 'ellipsis') || (high && /^\d+$/.test(webkitLineClamp));
};

/**
 * Shows text that is cut off in full on hover, as a title, in every list, menu and chip. Text that fits gets
 * none, and an existing title stays.
 */
export function showWholeTexts(page: Document): void {
  page.addEventListener('mouseover', ({ target }) => {
    let element = target instanceof HTMLElement ? target : null;
    for (let level = 0; element && level < levels; level++, element = element.parentElement) {
      const own = titled.has(element);
      if (element.title !== '' && !own) return;
      if (isCut(element)) {
        element.title = element.textContent.trim();
        titled.add(element);
        return;
      }
      if (own) {
        element.removeAttribute('title');
        titled.delete(element);
      }
    }
  });
}
