import { z } from 'zod';

/** A label, in mm. `sheet`: several on a Letter page instead of one after another on a roll. */
interface LabelSize {
  readonly width: number;
  readonly height: number;
  readonly sheet?: {
    readonly columns: number;
    readonly rows: number;
    /** Offset from the page edges, and spacing between labels. */
    readonly left: number;
    readonly top: number;
    readonly across: number;
    readonly down: number;
  };
}

/** The labels that can be printed: rolls for tubes, cryo tubes and boxes, and sheets of 30 (Avery 5160). */
export const labelSizes = {
  tube: { width: 50, height: 25 },
  cryo: { width: 33, height: 13 },
  box: { width: 100, height: 50 },
  sheet: {
    width: 66.675,
    height: 25.4,
    sheet: { columns: 3, rows: 10, left: 4.7625, top: 12.7, across: 69.85, down: 25.4 },
  },
} as const satisfies Readonly<Record<string, LabelSize>>;
export type LabelSizeName = keyof typeof labelSizes;
export const labelSizeNames = Object.keys(labelSizes) as [LabelSizeName, ...LabelSizeName[]];

/** A page for any printer, or the language of label printers. */
export const labelFormats = { pdf: 'application/pdf', zpl: 'application/zpl' } as const;
export type LabelFormat = keyof typeof labelFormats;

/** The query for printing labels. */
export const labelQuery = z
  .strictObject({
    size: z.enum(labelSizeNames),
    format: z.enum(Object.keys(labelFormats) as [LabelFormat, ...LabelFormat[]]).default('pdf'),
  })
  .refine(({ size, format }) => format === 'pdf' || size !== 'sheet', {
    error: 'label printers take no sheets',
    path: ['format'],
    params: { code: 'no-sheets' },
  });
