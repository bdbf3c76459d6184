import { deletePopulation, type PopulationYear, readPopulation } from '@caseway/contract/population';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useCall } from '../../data/api.ts';
import { textOfFile } from '../../data/file-text.ts';
import { notify } from '../../session/notify.ts';
import { Answered } from '../../ui/Answered.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { FileDrop } from '../../ui/FileDrop.tsx';
import { Section } from '../../ui/Section.tsx';
import { useFormats } from '../../words/formats.ts';
import { ImportPopulation } from './ImportPopulation.tsx';
import { Figures } from './PopulationFigures.tsx';

/** The denominators of rates: the imported years, and the import of a table. */
export function Population() {
  const { t } = useTranslation('settings');
  const query = useApi(readPopulation);
  const [text, setText] = useState<string | null>(null);
  const [removed, setRemoved] = useState<PopulationYear | null>(null);
  return (
    <>
      <Section title={t('section.population')}>
        <Typography variant="body1" sx={{ color: 'text.secondary', maxWidth: '72ch' }}>
          {t('population.lead')}
        </Typography>
        <Answered query={query} height={200}>
          {({ years }) =>
            years.length === 0 ? (
              <Typography variant="body2">{t('population.none')}</Typography>
            ) : (
              <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
                {years.map((one) => (
                  <Year key={`${one.kind} ${one.year}`} of={one} onRemove={() => setRemoved(one)} />
                ))}
              </Box>
            )
          }
        </Answered>
      </Section>
      <FileDrop
        label={t('population.drop')}
        help={t('population.dropHelp')}
        accept=".csv,.txt,text/csv"
        multiple={false}
        onFiles={([file]) => void (file && textOfFile(file).then(setText))}
      />
      {text === null ? null : <ImportPopulation text={text} onClose={() => setText(null)} />}
      {removed ? <Remove of={removed} onClose={() => setRemoved(null)} /> : null}
    </>
  );
}

function Year({ of, onRemove }: { of: PopulationYear; onRemove: () => void }) {
  const { t } = useTranslation('settings');
  const formats = useFormats();
  const name = t(`population.year.${of.kind}`, { year: String(of.year) });
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 2,
        paddingY: 2,
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      <Box sx={{ flex: '1 1 260px', minWidth: 0 }}>
        <Typography variant="body1" component="h3" sx={{ fontWeight: 550 }}>
          {name}
        </Typography>
        <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
          {t('population.source', { ...of, published: String(of.published) })}
        </Typography>
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          <Figures of={of} />
        </Typography>
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          {[formats.instant(of.importedAt), of.importedBy].filter(Boolean).join(' · ')}
        </Typography>
      </Box>
      <Button size="small" variant="text" aria-label={t('population.removeOf', { name })} onClick={onRemove}>
        {t('population.remove')}
      </Button>
    </Box>
  );
}

function Remove({ of, onClose }: { of: PopulationYear; onClose: () => void }) {
  const { t } = useTranslation('settings');
  const call = useCall(deletePopulation, { invalidates: [readPopulation] });
  return (
    <ConfirmDialog
      open
      danger
      title={t('population.removeTitle', {
        name: t(`population.year.${of.kind}`, { year: String(of.year) }),
      })}
      confirm={t('population.remove')}
      busy={call.isPending}
      error={call.error}
      onClose={onClose}
      onConfirm={() =>
        call.mutate(
          { params: { kind: of.kind, year: of.year } },
          {
            onSuccess: () => {
              onClose();
              notify('success', 'settings:population.removed');
            },
          },
        )
      }
    >
      {t('population.removeText')}
    </ConfirmDialog>
  );
}
