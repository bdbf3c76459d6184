import { outsideValue } from '../data/outside-value.ts';

const arrived = outsideValue(0);

// jsdom has no fonts.
document.fonts?.addEventListener('loadingdone', () => arrived.set(arrived.get() + 1));

/**
 * How many times fonts have arrived in this page. Texts are shown before their font has loaded, and must then
 * be measured again.
 */
export const fontsArrived = arrived.get;
/** The same for a component that measures texts: it rerenders when a font arrives. */
export const useFontsArrived = arrived.use;
