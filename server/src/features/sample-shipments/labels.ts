import { todayIn } from '@caseway/contract/date-range';
import { labelIn } from '@caseway/contract/label';
import { labelFormats } from '@caseway/contract/labels';
import { shipmentLabels } from '@caseway/contract/sample-shipments';
import type { Lookups } from '../../platform/grid/lookups.ts';
import type { App } from '../../platform/http/app.ts';
import { refused } from '../../platform/http/app-error.ts';
import { serve } from '../../platform/http/serve.ts';
import type { LabelContent } from '../../platform/labels/label.ts';
import { readRecord } from '../../platform/records/record-sql.ts';
import { inItsTenant } from '../../platform/records/serve-patient-records.ts';
import { wordsForFile } from '../../platform/words/label-overrides.ts';
import { readContents } from './contents.ts';
import { shipments } from './shipment-server.ts';

/** Labels of a shipment: for its box, or for each tube in it that the reader sees. */
export function serveLabels(app: App, lookups: Lookups): void {
  serve(app, shipmentLabels, async (call) => {
    const { of, size, format } = call.query;
    const words = (await wordsForFile(app.database, call))('sample-shipments');
    const places = await lookups.labels('facilities', call);
    const { number, contents } = await inItsTenant(call, 'shipment', call.params.id, async (tx) => {
      const one = await readRecord(tx, shipments, call.params.id);
      const ofBox = (): LabelContent[] => [
        {
          code: one.number,
          lines: [
            ...(['origin', 'destination'] as const).map(
              (end) => `${words(`column.${end}`)}: ${places.get(one[end]) ?? ''}`,
            ),
            words(`choice.temperature.${one.temperature}`) ?? '',
          ],
        },
      ];
      const ofTubes = async (): Promise<LabelContent[]> =>
        (await readContents(tx, one.id)).specimens.map(({ code, specimenType, collectedAt }) => ({
          code,
          lines: [
            ...(specimenType ? [labelIn(specimenType, call.language)] : []),
            // Written the same everywhere, because another laboratory reads it.
            ...(collectedAt ? [todayIn(call.org.timeZone, new Date(collectedAt))] : []),
          ],
        }));
      return { number: one.number, contents: of === 'box' ? ofBox() : await ofTubes() };
    });
    if (contents.length === 0) throw refused('of', 'no-tubes', 'there are no tubes in it');
    // Loaded on first use, because the program for symbols is large.
    const [{ layOut }, { labelsPdf }, { labelsZpl }] = await Promise.all([
      import('../../platform/labels/label.ts'),
      import('../../platform/labels/label-pdf.ts'),
      import('../../platform/labels/label-zpl.ts'),
    ]);
    const labels = contents.map((content) => {
      const label = layOut(content, size);
      if (!label) throw refused('size', 'code-too-long', `${content.code} is too long for this label`);
      return label;
    });
    call.setHeader('content-type', labelFormats[format]);
    call.setHeader('content-disposition', `attachment; filename="labels-${number}.${format}"`);
    return format === 'zpl'
      ? labelsZpl(labels)
      : labelsPdf(labels, size, { title: number, language: call.language });
  });
}
