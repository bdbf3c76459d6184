import type { SeriesForm } from '@caseway/contract/dashboard';

/** A chart's place in two columns: in one, across both, or in one beside two others. */
export type Place = 'half' | 'row' | 'tall';

/**
 * The places of a section's charts, in order, without gaps. An odd one takes a whole row; a pyramid beside
 * two others is as tall as both.
 */
export function placed(series: readonly { form: SeriesForm; wide?: boolean | undefined }[]): Place[] {
  const places = series.map(({ wide }): Place => (wide ? 'row' : 'half'));
  for (let start = 0; start < series.length; ) {
    let end = start;
    while (end < series.length && places[end] === 'half') end++;
    const pyramid = series.findIndex(({ form }, at) => at >= start && at < end - 1 && form === 'pyramid');
    if ((end - start) % 2 === 1) {
      if (pyramid >= 0) places[pyramid] = 'tall';
      else places[end - 1] = 'row';
    }
    start = end + 1;
  }
  return places;
}
