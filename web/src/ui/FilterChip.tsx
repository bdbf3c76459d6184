import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import { X } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** One active filter, which can be opened, or removed by its button or the Delete and Backspace keys. */
export function FilterChip({
  name,
  value,
  whole = false,
  open = false,
  onOpen,
  onRemove,
}: {
  name: string;
  value: ReactNode;
  /** Takes as many lines as its text needs. */
  whole?: boolean;
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
        maxWidth: '100%',
        ...(whole ? { minHeight: 32, borderRadius: '16px' } : { height: 32, borderRadius: '999px' }),
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
          sx={{
            height: '100%',
            minWidth: 0,
            padding: whole ? '5px 4px 5px 12px' : '0 4px 0 12px',
            ...(whole && { display: 'block', textAlign: 'left' }),
          }}
        >
          {whole ? text : <Ellipsis>{text}</Ellipsis>}
        </ButtonBase>
      ) : (
        <Box component="span" sx={{ padding: whole ? '5px 4px 5px 12px' : '0 4px 0 12px', minWidth: 0 }}>
          {whole ? text : <Ellipsis>{text}</Ellipsis>}
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

const Ellipsis = ({ children }: { children: ReactNode }) => (
  <Box
    component="span"
    sx={{
      display: 'block',
      maxWidth: 280,
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
    }}
  >
    {children}
  </Box>
);
