import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { Check } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { chooseLanguage, languageNames, languageOf } from '../words/i18n.ts';
import { useOfferedLanguages } from '../words/use-languages.ts';

export default function LanguagePanel({ anchor, onClose }: { anchor: HTMLElement; onClose: () => void }) {
  const { i18n } = useTranslation();
  const current = languageOf(i18n.language) ?? 'en';
  return (
    <Menu open anchorEl={anchor} onClose={onClose}>
      {useOfferedLanguages(current).map((one) => (
        <MenuItem
          key={one}
          lang={one}
          role="menuitemradio"
          aria-checked={one === current}
          selected={one === current}
          onClick={() => {
            onClose();
            void chooseLanguage(one);
          }}
        >
          <span style={{ flex: 1 }}>{languageNames[one]}</span>
          {one === current ? <Check size={16} aria-hidden /> : null}
        </MenuItem>
      ))}
    </Menu>
  );
}
