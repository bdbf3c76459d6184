import { useContext, useEffect, useRef, useState } from 'react';
import { PaperContext } from './paper.ts';

/** The width in px to draw at: the paper's, otherwise the ref element's; 0 before it is known. */
export function useWidth<Element extends HTMLElement>() {
  const ref = useRef<Element>(null);
  const paper = useContext(PaperContext);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    setWidth(Math.floor(element.getBoundingClientRect().width));
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width: paper?.width ?? width };
}
