import { phoneShown } from '@caseway/contract/codes';
import { type FoundGroup, type FoundKind, type FoundRecord, listPaths } from '@caseway/contract/search';
import { orgKey } from '@caseway/contract/session';
import { ArrowRight, FileText, type LucideIcon } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { useLabels } from '../data/use-labels.ts';
import { type Search, useNames } from '../data/use-search.ts';
import { useMay } from '../session/permissions.ts';
import { noteRecent, type Recent, recentsOf, recordAt } from '../session/recents.ts';
import { useAppSelector } from '../session/store.ts';
import type { Command } from '../ui/CommandList.tsx';
import { opensInList } from '../view/open-in-list.ts';
import { showSearch } from '../view/show-search.ts';
import { useFormats } from '../words/formats.ts';
import { loadWords } from '../words/i18n.ts';
import { menuIcons } from './menu-icons.ts';
import { maySee, type Screen, type ScreenPart } from './screens.ts';

export type Entry = Command & { run: () => void };

/** The menu screen a screen belongs to: by its address, or else by who may see it. */
const menuScreenOf = (screens: readonly Screen[], screen: Screen): Screen | undefined => {
  const above = screens.filter(
    ({ menu, path }) => menu && path !== '/' && `${screen.path}/`.startsWith(`${path}/`),
  );
  return (
    above.sort((one, other) => other.path.length - one.path.length)[0] ??
    screens.find(
      ({ menu, permission }) => menu && permission !== undefined && permission === screen.permission,
    )
  );
};

const iconOf = (screens: readonly Screen[], screen: Screen): LucideIcon => {
  const { menu } = screen.menu ? screen : (menuScreenOf(screens, screen) ?? screen);
  return menu ? menuIcons[menu.icon] : FileText;
};

/** How records are shown and opened, by kind. */
function useRecords(screens: readonly Screen[]) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const formats = useFormats();
  const { user, selectedTenantOrg } = useAppSelector((state) => state.authentication);
  const conditions = useLabels('conditions');
  const screenOf = (kind: FoundKind) => screens.find(({ path }) => path === listPaths[kind]);

  const detailOf = ({ detail, similar }: FoundRecord) =>
    [
      similar ? t('palette.similar') : null,
      ...detail.map(({ as, value }) => {
        if (as === 'condition') return conditions.of(value);
        if (as === 'phone') return phoneShown(value);
        return as === 'text' ? value : formats[as](value);
      }),
    ]
      .filter(Boolean)
      .join(' · ');

  const open = (kind: FoundKind, { id, title }: FoundRecord) => {
    const list = listPaths[kind];
    if (kind === 'unassigned-specimens') {
      void showSearch(kind, [title]).then(() => navigate(list));
      return;
    }
    if (screens.some(({ path }) => path === `${list}/:id`)) {
      void navigate(`${list}/${id}`);
      return;
    }
    if (user && selectedTenantOrg) noteRecent(user.id, orgKey(selectedTenantOrg), { kind, id });
    void navigate(list, { state: opensInList(id) });
  };

  return {
    nameOf: (kind: FoundKind) => {
      const screen = screenOf(kind);
      return screen ? t(screen.label) : '';
    },
    entryOf: (kind: FoundKind, record: FoundRecord): Entry => {
      const screen = screenOf(kind);
      return {
        id: `${kind} ${record.id}`,
        label: record.title || t('palette.unnamed'),
        detail: detailOf(record),
        icon: screen ? iconOf(screens, screen) : FileText,
        run: () => open(kind, record),
      };
    },
  };
}

/** The results by kind, with a link to all matches in each list. */
export function useFoundEntries(
  screens: readonly Screen[],
  { groups, words }: Pick<Search, 'groups' | 'words'>,
  typed: string,
): Entry[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { nameOf, entryOf } = useRecords(screens);
  const withMore = ({ kind, count, records }: FoundGroup): Entry[] => {
    const group = nameOf(kind);
    // The server may have found them by data that is not here.
    const entries = records.map((record) => ({ ...entryOf(kind, record), group, keywords: typed }));
    if (count === null || count <= records.filter(({ similar }) => !similar).length) return entries;
    const all: Entry = {
      id: `all ${kind}`,
      group,
      label: t('palette.all', { list: group }),
      count,
      icon: ArrowRight,
      keywords: typed,
      run: () => void showSearch(kind, words).then(() => navigate(listPaths[kind])),
    };
    return [...entries, all];
  };
  return groups.flatMap(withMore);
}

/** The records opened last, except the open one. */
export function useRecentEntries(screens: readonly Screen[], isShown: boolean): Entry[] {
  const { t } = useTranslation();
  const may = useMay();
  const { pathname } = useLocation();
  const { user, selectedTenantOrg } = useAppSelector((state) => state.authentication);
  const [recent] = useState<readonly Recent[]>(() => {
    if (!user || !selectedTenantOrg) return [];
    const here = recordAt(pathname);
    return recentsOf(user.id, orgKey(selectedTenantOrg)).filter(({ kind, id }) => {
      const screen = screens.find(({ path }) => path === listPaths[kind]);
      return id !== here?.id && screen !== undefined && maySee(screen, may);
    });
  });
  const names = useNames(isShown ? recent : []);
  const { entryOf } = useRecords(screens);
  if (!isShown) return [];
  return recent.flatMap(({ kind, id }) => {
    const record = names.get(id);
    return record ? [{ ...entryOf(kind, record), group: t('palette.recent') }] : [];
  });
}

/** The screens the user may open: those of the menu first, then those below them. */
export function useScreenEntries(screens: readonly Screen[]): Entry[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const may = useMay();
  const seen = useMemo(() => screens.filter((screen) => maySee(screen, may)), [screens, may]);
  const [parts, setParts] = useState<ReadonlyMap<Screen, readonly ScreenPart[]>>(new Map());
  useEffect(() => {
    let wanted = true;
    const having = seen.filter((screen) => screen.parts);
    void Promise.all(
      having.map(async (screen): Promise<[Screen, readonly ScreenPart[]]> => {
        const { screenParts } = await screen.parts!();
        await loadWords(screenParts.flatMap(({ label }) => label.split(':').slice(0, -1)));
        return [screen, screenParts];
      }),
      // If they fail to load, the rest is still there.
    ).then(
      (loaded) => wanted && setParts(new Map(loaded)),
      () => {},
    );
    return () => {
      wanted = false;
    };
  }, [seen]);

  const entry = (screen: Screen, { path, label }: ScreenPart, detail?: string): Entry => ({
    id: `go ${path}`,
    group: t('palette.go'),
    label: t(label),
    ...(detail !== undefined && { detail }),
    icon: iconOf(screens, screen),
    run: () => void navigate(path),
  });
  const below = seen.flatMap((screen): Entry[] => {
    if (screen.menu) return [];
    const above = menuScreenOf(seen, screen);
    const detail = above && t(above.label);
    const own = parts.get(screen)?.filter(({ path }) => path !== above?.path) ?? [];
    if (own.length > 0) return own.map((one) => entry(screen, one, detail));
    const isPlace = !screen.path.includes(':') && !screen.path.startsWith('/sign-in');
    // A screen with the same name as its parent is where the parent leads.
    return isPlace && screen.label !== above?.label ? [entry(screen, screen, detail)] : [];
  });
  return [...seen.filter(({ menu }) => menu).map((screen) => entry(screen, screen)), ...below];
}
