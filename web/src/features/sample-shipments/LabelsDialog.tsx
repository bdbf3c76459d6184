import { type LabelFormat, type LabelSizeName, labelSizeNames } from '@caseway/contract/labels';
import { type labelledParts, type Shipment, shipmentLabels } from '@caseway/contract/sample-shipments';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useExport } from '../../data/use-export.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { useRefusal } from './use-contents.ts';

type Part = (typeof labelledParts)[number];
/** The label that fits each. */
const usual = { box: 'box', tubes: 'tube' } as const satisfies Record<Part, LabelSizeName>;

/** Labels for a shipment's box or contents, as a file for any printer or for label printers. */
export function LabelsDialog({
  one,
  hasSpecimens,
  onClose,
}: {
  one: Pick<Shipment, 'id' | 'number'>;
  hasSpecimens: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation('sample-shipments');
  const [of, setOf] = useState<Part>('box');
  const [chosen, setChosen] = useState<LabelSizeName | null>(null);
  const [format, setFormat] = useState<LabelFormat>('pdf');
  const file = useExport(shipmentLabels, 'labels.pdf', useRefusal());
  const size = chosen ?? usual[of];
  const isSheet = size === 'sheet';
  return (
    <FormDialog
      title={t('label.title', { number: one.number })}
      lead={t('label.lead')}
      submit={t('label.download')}
      busy={file.isRunning}
      onSubmit={() =>
        file.start({ params: { id: one.id }, query: { of, size, format: isSheet ? 'pdf' : format } })
      }
      onClose={onClose}
    >
      {hasSpecimens ? (
        <Segments<Part>
          label={t('label.of.title')}
          value={of}
          options={(['box', 'tubes'] as const).map((value) => ({ value, label: t(`label.of.${value}`) }))}
          onChange={setOf}
        />
      ) : null}
      <Segments<LabelSizeName>
        label={t('label.size.title')}
        value={size}
        options={labelSizeNames.map((value) => ({ value, label: t(`label.size.${value}`) }))}
        onChange={setChosen}
      />
      {isSheet ? null : (
        <Segments<LabelFormat>
          label={t('label.format.title')}
          value={format}
          options={(['pdf', 'zpl'] as const).map((value) => ({ value, label: t(`label.format.${value}`) }))}
          onChange={setFormat}
        />
      )}
    </FormDialog>
  );
}
