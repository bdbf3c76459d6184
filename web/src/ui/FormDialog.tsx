import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

/**
 * A form over the screen, full-screen on a phone. Typed values stay if sending failed, and neither a click
 * beside the dialog nor Escape discards them: both move the focus to Cancel, which does.
 */
export function FormDialog({
  title,
  lead,
  submit,
  busy,
  wide = false,
  onSubmit,
  onClose,
  children,
}: {
  title: string;
  lead?: ReactNode;
  /** The action, as a verb. */
  submit: string;
  busy: boolean;
  wide?: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const id = useId();
  const narrow = useMediaQuery('(max-width: 599.95px)');
  const [touched, setTouched] = useState(false);
  const cancel = useRef<HTMLButtonElement>(null);
  const leave = () => {
    if (busy) return;
    if (touched) cancel.current?.focus();
    else onClose();
  };
  return (
    <Dialog
      open
      onClose={leave}
      aria-labelledby={id}
      maxWidth={wide ? 'md' : 'sm'}
      fullWidth
      fullScreen={narrow}
    >
      <Box
        component="form"
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          onSubmit();
        }}
        onInput={() => setTouched(true)}
        sx={{ display: 'flex', flexDirection: 'column', minHeight: 0, flex: 1 }}
      >
        <DialogTitle id={id}>{title}</DialogTitle>
        <DialogContent>
          {lead ? (
            <Typography variant="body1" sx={{ color: 'text.secondary', marginBottom: 4 }}>
              {lead}
            </Typography>
          ) : null}
          <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>{children}</Box>
        </DialogContent>
        <DialogActions>
          <Button ref={cancel} variant="outlined" onClick={onClose} disabled={busy}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" variant="contained" loading={busy}>
            {submit}
          </Button>
        </DialogActions>
      </Box>
    </Dialog>
  );
}
