import { vi } from 'vitest';

/** What jsdom lacks: scrolling, and the width of a screen. */
export function screenToScroll(): void {
  HTMLElement.prototype.scrollTo = vi.fn() as never;
  HTMLElement.prototype.scrollIntoView = vi.fn();
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addListener() {},
    removeListener() {},
    addEventListener() {},
    removeEventListener() {},
  }));
}

/** The same, with room for the rows of a list. */
export function roomForRows(): void {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(1000);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
  screenToScroll();
}
