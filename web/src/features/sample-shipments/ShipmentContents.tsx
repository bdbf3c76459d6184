import { labelIn } from '@caseway/contract/label';
import {
  type Contents,
  noteSpecimen,
  packSpecimens,
  type Shipment,
  type Shipped,
  takeOutSpecimen,
} from '@caseway/contract/sample-shipments';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { CircleCheck, CircleDashed, CircleHelp, type LucideIcon, Package, TriangleAlert } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCall } from '../../data/api.ts';
import { Field } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { IconMark } from '../../ui/IconMark.tsx';
import { useFormats } from '../../words/formats.ts';
import { CodeEntry } from './CodeEntry.tsx';
import { ScanPanel } from './ScanPanel.tsx';
import { useShipmentWords } from './shipment-words.ts';
import { counted, showContents, useReception, useRefusal } from './use-contents.ts';

/**
 * A shipment's contents: packed while it is a draft, received by scanning, and explained if something is
 * wrong.
 */
export function ShipmentContents({
  one,
  contents,
  mayWrite,
}: {
  one: Shipment;
  contents: Contents;
  mayWrite: boolean;
}) {
  const { t } = useTranslation('sample-shipments');
  const { id, state, side } = one;
  const [noting, setNoting] = useState<Shipped | null>(null);
  const isPacking = mayWrite && state === 'draft' && side !== 'destination';
  const isReceiving = mayWrite && state === 'receiving' && side !== 'sender';
  const isExplaining = mayWrite && (state === 'receiving' || state === 'received') && side !== 'sender';
  const { specimens } = contents;
  return (
    <>
      {isPacking ? <Packing id={id} /> : null}
      {isReceiving ? <ScanPanel id={id} specimens={specimens} /> : null}
      {specimens.length === 0 ? (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('pack.none')}
        </Typography>
      ) : (
        <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
          {specimens.map((specimen) => (
            <Row
              key={specimen.id}
              shipmentId={id}
              specimen={specimen}
              isPacking={isPacking}
              isReceiving={isReceiving}
              {...(isExplaining && { onNote: () => setNoting(specimen) })}
            />
          ))}
        </Box>
      )}
      {noting ? <NoteDialog shipmentId={id} specimen={noting} onClose={() => setNoting(null)} /> : null}
    </>
  );
}

/** Adds specimens by number. */
function Packing({ id }: { id: string }) {
  const { t } = useTranslation('sample-shipments');
  const refuse = useRefusal();
  const pack = useCall(packSpecimens, { invalidates: counted });
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <CodeEntry
        label={t('pack.code')}
        help={t('pack.help')}
        submit={t('pack.add')}
        onCode={(code) =>
          pack
            .mutateAsync({ params: { id }, body: { code } })
            .then((contents) => showContents(id, contents), refuse)
        }
      />
      <Box>
        <Button size="small" variant="text" component={Link} to="/sample-shipments/unassigned">
          {t('pack.choose')}
        </Button>
      </Box>
    </Box>
  );
}

const marks: Readonly<Record<Shipped['reception'], readonly [LucideIcon, string]>> = {
  packed: [Package, 'text.secondary'],
  awaited: [CircleDashed, 'text.secondary'],
  received: [CircleCheck, 'success.main'],
  missing: [TriangleAlert, 'error.main'],
  unexpected: [CircleHelp, 'warning.main'],
};

function Row({
  shipmentId,
  specimen,
  isPacking,
  isReceiving,
  onNote,
}: {
  shipmentId: string;
  specimen: Shipped;
  isPacking: boolean;
  isReceiving: boolean;
  onNote?: () => void;
}) {
  const { t, i18n } = useTranslation('sample-shipments');
  const words = useShipmentWords();
  const { instant } = useFormats();
  const refuse = useRefusal();
  const takeOut = useCall(takeOutSpecimen, { invalidates: counted });
  const { receive, isPending } = useReception(shipmentId);
  const { id, code, reception, how, condition, receivedAt, receivedBy, note, isDiscrepancy } = specimen;
  const isWrong = condition !== null && condition !== 'good';
  const [icon, color] =
    isWrong && reception === 'received' ? ([TriangleAlert, 'warning.main'] as const) : marks[reception];
  const out = () =>
    takeOut.mutate(
      { params: { id: shipmentId, specimen: id } },
      { onSuccess: (contents) => showContents(shipmentId, contents), onError: refuse },
    );
  const isThere = receivedAt !== null;
  const deeds = [
    ...(isPacking ? [{ label: t('pack.takeOut'), name: t('pack.takeOutOf', { code }), run: out }] : []),
    ...(isReceiving && !isThere
      ? [
          {
            label: t('scan.tick'),
            name: t('scan.tickOf', { code }),
            run: () => void receive(code, 'ticked', 'good').catch(refuse),
          },
        ]
      : []),
    ...(isReceiving && isThere
      ? [{ label: t('scan.takeBack'), name: t('scan.takeBackOf', { code }), run: out }]
      : []),
    ...(onNote && (isDiscrepancy || note !== null)
      ? [
          {
            label: t(note === null ? 'note.add' : 'note.change'),
            name: t(note === null ? 'note.addOf' : 'note.changeOf', { code }),
            run: onNote,
          },
        ]
      : []),
  ];
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 3,
        rowGap: 1,
        paddingY: 2,
        borderTop: 1,
        borderColor: 'divider',
        overflowWrap: 'anywhere',
      }}
    >
      <Box sx={{ flex: '1 1 220px', minWidth: 0 }}>
        <Typography variant="body1" className="mono">
          {code}
        </Typography>
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          {[
            specimen.specimenType && labelIn(specimen.specimenType, i18n.language),
            specimen.collectedAt && instant(specimen.collectedAt),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Typography>
        {note ? <Typography variant="body2">{note}</Typography> : null}
      </Box>
      <Box sx={{ flex: '1 1 180px', minWidth: 0 }}>
        <IconMark icon={icon} color={color}>
          {[words.choice('reception', reception), isWrong ? words.choice('condition', condition) : null]
            .filter(Boolean)
            .join(' · ')}
        </IconMark>
        {isThere ? (
          <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
            {[how && words.choice('how', how), receivedBy, instant(receivedAt)].filter(Boolean).join(' · ')}
          </Typography>
        ) : null}
      </Box>
      {deeds.length > 0 ? (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
          {deeds.map(({ label, name, run }) => (
            <Button
              key={label}
              size="small"
              variant="outlined"
              aria-label={name}
              loading={takeOut.isPending || isPending}
              onClick={run}
            >
              {label}
            </Button>
          ))}
        </Box>
      ) : null}
    </Box>
  );
}

/** Records what is wrong with a specimen. */
function NoteDialog({
  shipmentId,
  specimen,
  onClose,
}: {
  shipmentId: string;
  specimen: Shipped;
  onClose: () => void;
}) {
  const { t } = useTranslation('sample-shipments');
  const fieldId = useId();
  const refuse = useRefusal();
  const [typed, setTyped] = useState(specimen.note ?? '');
  const [tried, setTried] = useState(false);
  const save = useCall(noteSpecimen, { invalidates: counted });
  const { code } = specimen;
  const note = typed.trim();
  return (
    <FormDialog
      title={t('note.title', { code })}
      submit={t('note.save')}
      busy={save.isPending}
      onSubmit={() => {
        setTried(true);
        if (note !== '')
          save.mutate(
            { params: { id: shipmentId, specimen: specimen.id }, body: { note } },
            {
              onSuccess: (contents) => {
                showContents(shipmentId, contents);
                onClose();
              },
              onError: refuse,
            },
          );
      }}
      onClose={onClose}
    >
      <Field
        id={fieldId}
        label={t('note.text')}
        required
        fault={tried && note === '' ? t('fault.required') : undefined}
      >
        {({ describedBy, invalid }) => (
          <OutlinedInput
            id={fieldId}
            value={typed}
            autoFocus
            multiline
            minRows={2}
            error={invalid}
            onChange={(event) => setTyped(event.target.value)}
            inputProps={{ maxLength: 1000, 'aria-describedby': describedBy, 'aria-invalid': invalid }}
          />
        )}
      </Field>
    </FormDialog>
  );
}
