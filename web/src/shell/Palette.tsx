import { orgKey } from '@caseway/contract/session';
import Dialog from '@mui/material/Dialog';
import { useColorScheme } from '@mui/material/styles';
import { FileText, Globe, Keyboard, LogOut, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useFoundCases } from '../data/use-found-cases.ts';
import { useLabels } from '../data/use-labels.ts';
import { useMay } from '../session/permissions.ts';
import { chooseOrg, signOut } from '../session/session.ts';
import { useAppSelector } from '../session/store.ts';
import { type Command, CommandList } from '../ui/CommandList.tsx';
import { useFormats } from '../words/formats.ts';
import { chooseLanguage, languageNames, languageOf } from '../words/i18n.ts';
import { useOfferedLanguages } from '../words/use-languages.ts';
import { menuIcons } from './menu-icons.ts';
import { orgIcons } from './org-icons.ts';
import { maySee, type Screen } from './screens.ts';

/** Ctrl/Cmd+K: go to any permitted screen, open a case, or change organization, language or theme. */
export default function Palette({
  screens,
  onClose,
  onKeys,
}: {
  screens: readonly Screen[];
  onClose: () => void;
  onKeys: () => void;
}) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const may = useMay();
  const { colorScheme, setMode } = useColorScheme();
  const { availableOrgs, selectedTenantOrg } = useAppSelector((state) => state.authentication);

  const offered = useOfferedLanguages();
  const formats = useFormats();
  const [typed, setTyped] = useState('');
  const { cases, isLooking } = useFoundCases(typed);
  const conditions = useLabels('conditions', { enabled: cases.length > 0 });

  const entries: (Command & { run: () => void })[] = [
    ...cases.map((row) => ({
      id: `case ${row.id}`,
      group: t('palette.cases'),
      label: [[row.lastName, row.firstName].filter(Boolean).join(', '), row.caseId]
        .filter(Boolean)
        .join(' · '),
      detail: [conditions.of(row.condition), row.birthDate && formats.day(row.birthDate)]
        .filter(Boolean)
        .join(' · '),
      // The server may have found it by data that is not here.
      keywords: typed,
      icon: FileText,
      run: () => void navigate(`/case-reports/${row.id}`),
    })),
    ...screens
      .filter((screen) => screen.menu && maySee(screen, may))
      .map((screen) => ({
        id: `go ${screen.path}`,
        group: t('palette.go'),
        label: t(screen.label),
        icon: menuIcons[screen.menu!.icon],
        run: () => void navigate(screen.path),
      })),
    ...availableOrgs
      .filter((org) => !selectedTenantOrg || orgKey(org) !== orgKey(selectedTenantOrg))
      .map((org) => ({
        id: `org ${orgKey(org)}`,
        group: t('palette.orgs'),
        label: org.name,
        detail: t(`org.type.${org.orgType}`),
        icon: orgIcons[org.orgType],
        run: () => void chooseOrg(org),
      })),
    ...offered
      .filter((one) => one !== languageOf(i18n.language))
      .map((one) => ({
        id: `language ${one}`,
        group: t('palette.actions'),
        label: languageNames[one],
        keywords: t('language.title'),
        icon: Globe,
        run: () => void chooseLanguage(one),
      })),
    {
      id: 'theme',
      group: t('palette.actions'),
      label: t(colorScheme === 'dark' ? 'theme.toLight' : 'theme.toDark'),
      icon: colorScheme === 'dark' ? Sun : Moon,
      run: () => setMode(colorScheme === 'dark' ? 'light' : 'dark'),
    },
    { id: 'keys', group: t('palette.actions'), label: t('keys.title'), icon: Keyboard, run: onKeys },
    {
      id: 'out',
      group: t('palette.actions'),
      label: t('user.signOut'),
      icon: LogOut,
      run: () => void signOut(),
    },
  ];

  return (
    <Dialog
      open
      onClose={onClose}
      sx={{ '& .MuiDialog-container': { alignItems: 'flex-start', paddingTop: { xs: 2, sm: '12vh' } } }}
      slotProps={{
        paper: {
          'aria-label': t('palette.title'),
          sx: { width: 'min(600px, calc(100vw - 16px))', maxWidth: 'none', margin: 0 },
        },
      }}
    >
      <CommandList
        label={t('palette.title')}
        placeholder={t('palette.placeholder')}
        emptyText={t(isLooking ? 'palette.looking' : 'palette.none')}
        maxHeight={420}
        commands={entries}
        onTyped={setTyped}
        onChoose={(id) => {
          onClose();
          entries.find((entry) => entry.id === id)?.run();
        }}
      />
    </Dialog>
  );
}
