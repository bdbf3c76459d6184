import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { singleKeysToggled } from '../session/preferences.ts';
import { useAppDispatch, useAppSelector } from '../session/store.ts';
import { commandKey, Key } from '../ui/Key.tsx';

/** The keyboard shortcuts, by the part of the product; each entry is worded under `keys.<name>`. */
const keys = {
  everywhere: { palette: ['mod K'], help: ['?'], notifications: ['F8'], close: ['Esc'] },
  grid: {
    cells: ['←', '↑', '→', '↓'],
    ends: ['Home', 'End'],
    corners: ['Ctrl Home', 'Ctrl End'],
    open: ['Enter'],
    edit: ['Enter', 'F2'],
    select: ['space'],
    change: ['C'],
    nextRecord: ['J'],
    previousRecord: ['K'],
    sortAlso: ['Shift Enter'],
    quickSearch: ['/'],
  },
  record: { nextRecord: ['J'], previousRecord: ['K'] },
  tasks: {
    taskDone: ['D'],
    taskNotNeeded: ['N'],
    taskReopen: ['O'],
    taskTake: ['T'],
    taskGiveBack: ['B'],
    taskEdit: ['E'],
  },
  codes: {
    codeAccept: ['A'],
    codeLeaveOut: ['X'],
    codeRoutine: ['R'],
    codeReopen: ['O'],
    codeUndo: ['Z'],
  },
  charts: { marks: ['←', '→'], records: ['Enter'], dates: ['Shift ←', 'Shift →'] },
} as const;

export default function KeysDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const singleKeys = useAppSelector((state) => state.preferences.singleKeys);
  return (
    <Dialog open onClose={onClose} aria-labelledby="keys-title" maxWidth="sm" fullWidth>
      <DialogTitle id="keys-title">{t('keys.title')}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 5 }}>
        {Object.entries(keys).map(([part, entries]) => (
          <Box key={part} component="section">
            <Typography variant="h3" sx={{ marginBottom: 1 }}>
              {t(`keys.part.${part}`)}
            </Typography>
            <Box component="dl" sx={{ margin: 0 }}>
              {Object.entries(entries as Record<string, readonly string[]>).map(([name, combinations]) => (
                <Box
                  key={name}
                  sx={{
                    display: 'flex',
                    justifyContent: 'space-between',
                    gap: 4,
                    padding: '6px 0',
                    borderBottom: 1,
                    borderColor: 'divider',
                  }}
                >
                  <Typography component="dt" variant="body1">
                    {t(`keys.${name}`)}
                  </Typography>
                  <Box component="dd" sx={{ margin: 0, display: 'flex', gap: 1 }}>
                    {combinations.map((one) => (
                      <Key key={one}>
                        {one === 'space' ? t('keys.space') : one.replace('mod', commandKey())}
                      </Key>
                    ))}
                  </Box>
                </Box>
              ))}
            </Box>
          </Box>
        ))}
        <FormControlLabel
          control={<Checkbox checked={singleKeys} onChange={() => dispatch(singleKeysToggled())} />}
          label={t('keys.single')}
        />
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" onClick={onClose}>
          {t('action.close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
