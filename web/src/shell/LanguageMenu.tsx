import Button from '@mui/material/Button';
import { Globe } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { languageNames, languageOf } from '../words/i18n.ts';
import { Overlay } from './Overlay.tsx';
import { LanguagePanel } from './panels.ts';

/** Switches the language in place; the screen stays. */
export function LanguageMenu() {
  const { t, i18n } = useTranslation();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const current = languageOf(i18n.language) ?? 'en';
  return (
    <>
      <Button
        variant="text"
        size="small"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        // The accessible name starts with the visible text, so that voice control finds it.
        aria-label={`${current.slice(0, 2).toUpperCase()}, ${t('language.choose', { language: languageNames[current] })}`}
        onClick={(event) => setAnchor(event.currentTarget)}
        startIcon={<Globe size={18} aria-hidden />}
        sx={{ color: 'text.secondary', minWidth: 0, paddingX: '8px', gap: 1.5 }}
      >
        {current.slice(0, 2).toUpperCase()}
      </Button>
      {anchor ? (
        <Overlay>
          <LanguagePanel anchor={anchor} onClose={() => setAnchor(null)} />
        </Overlay>
      ) : null}
    </>
  );
}
