import { orgKey } from '@caseway/contract/session';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import { useColorScheme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { Globe, Keyboard, LogOut, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Search, useSearch } from '../data/use-search.ts';
import { chooseOrg, signOut } from '../session/session.ts';
import { useAppSelector } from '../session/store.ts';
import { CommandList } from '../ui/CommandList.tsx';
import { useFormats } from '../words/formats.ts';
import { chooseLanguage, languageNames, languageOf } from '../words/i18n.ts';
import { useOfferedLanguages } from '../words/use-languages.ts';
import { orgIcons } from './org-icons.ts';
import type { Screen } from './screens.ts';
import { type Entry, useFoundEntries, useRecentEntries, useScreenEntries } from './use-found.tsx';

/** Ctrl/Cmd+K: find any record, go to any permitted screen, or change organization, language or theme. */
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
  const { colorScheme, setMode } = useColorScheme();
  const { availableOrgs, selectedTenantOrg } = useAppSelector((state) => state.authentication);

  const offered = useOfferedLanguages();
  const [typed, setTyped] = useState('');
  const search = useSearch(typed);
  const recent = useRecentEntries(screens, typed.trim() === '');
  const places = useScreenEntries(screens);
  const found = useFoundEntries(screens, search, typed);

  const formats = useFormats();
  const count = search.groups.reduce((sum, one) => sum + one.records.length, 0);

  const entries: Entry[] = [
    ...recent,
    ...places,
    ...found,
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
        emptyText={search.isDone ? t('palette.nothing', { words: typed.trim() }) : t('palette.none')}
        maxHeight={420}
        commands={entries}
        status={search.isDone && count > 0 ? t('palette.found', { count, number: formats.count(count) }) : ''}
        footer={<SearchState search={search} />}
        onTyped={setTyped}
        onChoose={(id) => {
          onClose();
          entries.find((entry) => entry.id === id)?.run();
        }}
      />
    </Dialog>
  );
}

/** That the search is still running, or why it failed. */
function SearchState({ search: { isLooking, error, again } }: { search: Search }) {
  const { t } = useTranslation();
  if (error)
    return (
      <Alert
        severity="error"
        sx={{ margin: 2 }}
        action={
          <Button size="small" color="inherit" variant="outlined" onClick={again}>
            {t('action.retry')}
          </Button>
        }
      >
        {t('palette.failed')}
      </Alert>
    );
  return (
    <Typography role="status" variant="caption" component="div" sx={{ color: 'text.secondary' }}>
      {isLooking ? (
        <span style={{ display: 'block', padding: '4px 18px 12px' }}>{t('palette.looking')}</span>
      ) : null}
    </Typography>
  );
}
