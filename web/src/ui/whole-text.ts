/** The elements whose title is from here. */
const titled = new WeakSet<HTMLElement>();

/** Of a text in a cell or a button the cut element is a few elements up. */
const levels = 4;

const isCut = (element: HTMLElement): boolean => {
  const wide = element.scrollWidth > element.clientWidth + 1;
  const high = element.scrollHeight > element.clientHeight + 2;
  if (!wide && !high) return false;
  const { textOverflow, webkitLineClamp } = getComputedStyle(element);
  return (wide && textOverflow === 'ellipsis') || (high && /^\d+$/.test(webkitLineClamp));
};

/**
 * A text that is cut off for want of room is shown whole, as a title, where the pointer is on it: in every list, menu
 * and chip, so that none has to think of it. What fits has none, and a title of its own stays.
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
