import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useFieldArray } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

/** Fields next to each other if there is room. */
export const besideEachOther = {
  display: 'grid',
  gap: 4,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(auto-fill, minmax(240px, 1fr))' },
  alignItems: 'start',
  '& > .wide': { gridColumn: '1 / -1' },
} as const;

/**
 * Several rows in the surrounding form, each with its number; they can be added and removed by keyboard too.
 */
export function Rows({
  name,
  title,
  most,
  fault,
  disabled = false,
  newRow,
  children,
}: {
  name: string;
  title: string;
  most: number;
  /** A fault of the rows as a whole, in words. */
  fault?: string | undefined;
  disabled?: boolean;
  newRow: () => object;
  /** The fields of this row, counted from 0. */
  children: (index: number) => ReactNode;
}) {
  const { t } = useTranslation();
  const { fields, append, remove } = useFieldArray({ name });
  const add = useRef<HTMLButtonElement>(null);
  const rowName = (index: number) =>
    t('answers.row', { list: title, number: index + 1, total: fields.length });
  return (
    <Box
      component="fieldset"
      className="wide"
      sx={{ border: 0, margin: 0, padding: 0, minWidth: 0, display: 'grid', gap: 3 }}
    >
      <Typography component="legend" variant="body2" sx={{ fontWeight: 650, padding: 0, marginBottom: 2 }}>
        {title}
      </Typography>
      {fields.map(({ id }, index) => (
        <Box
          key={id}
          component="fieldset"
          sx={{ border: 1, borderColor: 'divider', borderRadius: 2, margin: 0, padding: 3, minWidth: 0 }}
        >
          <Typography component="legend" variant="body2" sx={{ color: 'text.secondary', paddingX: 1 }}>
            {rowName(index)}
          </Typography>
          <Box sx={besideEachOther}>{children(index)}</Box>
          {disabled ? null : (
            <Button
              variant="text"
              size="small"
              startIcon={<Trash2 size={14} aria-hidden />}
              aria-label={t('answers.removeOf', { row: rowName(index) })}
              onClick={() => {
                remove(index);
                add.current?.focus();
              }}
              sx={{ marginTop: 2 }}
            >
              {t('answers.remove')}
            </Button>
          )}
        </Box>
      ))}
      {fault ? (
        <Typography variant="body2" role="alert" sx={{ color: 'error.main' }}>
          {fault}
        </Typography>
      ) : null}
      {disabled || fields.length >= most ? null : (
        <Box>
          <Button
            ref={add}
            variant="outlined"
            size="small"
            startIcon={<Plus size={14} aria-hidden />}
            aria-label={t('answers.addTo', { list: title })}
            onClick={() => append(newRow())}
          >
            {t('answers.add')}
          </Button>
        </Box>
      )}
    </Box>
  );
}
