import Box from '@mui/material/Box';
import { type RefObject, useLayoutEffect, useState } from 'react';

/** In px. */
const width = 28;
/** The smallest distance that counts, because browsers round. */
const slight = 1;

/**
 * Shades over the edges of a list with more columns beyond them, so that no one takes the visible ones for
 * all: some systems show a scroll bar only while scrolling. It is next to the scroller, in a positioned
 * frame.
 */
export function Edges({
  scroller,
  left,
}: {
  scroller: RefObject<HTMLElement | null>;
  /** The width of the fixed part on the left, in px. */
  left: number;
}) {
  const [hidden, setHidden] = useState({ start: false, end: false, bar: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => {
      const { scrollLeft, scrollWidth, clientWidth, offsetWidth } = element;
      const next = {
        start: scrollLeft > slight,
        end: scrollLeft + clientWidth < scrollWidth - slight,
        bar: offsetWidth - clientWidth,
      };
      setHidden((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    // The frame can resize without a render, and the columns with their contents.
    const observer = new ResizeObserver(look);
    for (const one of [element, ...element.children]) observer.observe(one);
    return () => {
      element.removeEventListener('scroll', look);
      observer.disconnect();
    };
  }, [scroller]);
  return (
    <>
      {hidden.start ? <Edge side="left" at={left} /> : null}
      {hidden.end ? <Edge side="right" at={hidden.bar} /> : null}
    </>
  );
}

function Edge({ side, at }: { side: 'left' | 'right'; at: number }) {
  return (
    <Box
      aria-hidden
      data-edge={side}
      sx={{
        position: 'absolute',
        top: 0,
        bottom: 0,
        width,
        zIndex: 3,
        pointerEvents: 'none',
        background: (theme) =>
          `linear-gradient(to ${side}, transparent, color-mix(in srgb, ${theme.vars.palette.text.primary} 22%, transparent))`,
      }}
      style={{ [side]: at }}
    />
  );
}
