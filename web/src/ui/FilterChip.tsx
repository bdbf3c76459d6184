import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import { X } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

const textBox = { minWidth: 0, padding: '5px 4px 5px 12px', overflowWrap: 'anywhere' } as const;

/**
 * One active filter, which can be opened, or removed by its button or the Delete and Backspace keys. It takes as
 * many lines as it needs.
 */
export function FilterChip({
  name,
  value,
  open = false,
  onOpen,
  onRemove,
}: {
  name: string;
  value: ReactNode;
  /** Its popup is open. */
  open?: boolean;
  onOpen?: (anchor: HTMLElement) => void;
  onRemove: () => void;
}) {
  const { t } = useTranslation();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Delete' && event.key !== 'Backspace') return;
    event.preventDefault();
    onRemove();
  };
  const text = (
    <>
      <Box component="span" sx={{ color: 'text.secondary' }}>
        {name}
      </Box>{' '}
      {value}
    </>
  );
  return (
    <Box
      component="span"
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        maxWidth: 'min(100%, 640px)',
        minHeight: 32,
        borderRadius: '16px',
        border: 1,
        borderColor: open ? 'primary.main' : 'divider',
        backgroundColor: 'surface',
        fontSize: '0.8125rem',
        '& > *': { borderRadius: '999px' },
      }}
    >
      {onOpen ? (
        <ButtonBase
          aria-haspopup="dialog"
          aria-expanded={open}
          aria-keyshortcuts="Delete Backspace"
          onClick={(event) => onOpen(event.currentTarget)}
          onKeyDown={onKeyDown}
          sx={{ ...textBox, height: '100%', display: 'block', textAlign: 'left' }}
        >
          {text}
        </ButtonBase>
      ) : (
        <Box component="span" sx={textBox}>
          {text}
        </Box>
      )}
      <ButtonBase
        aria-label={t('filter.remove', { name })}
        onClick={onRemove}
        onKeyDown={onKeyDown}
        sx={{ width: 30, height: 30, color: 'text.secondary', '&:hover': { backgroundColor: 'raised' } }}
      >
        <X size={14} aria-hidden />
      </ButtonBase>
    </Box>
  );
}
