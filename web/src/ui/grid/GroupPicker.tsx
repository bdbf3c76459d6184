import { canGroup, type Grid, type Grouping, groupPeriods, mostClosed } from '@caseway/contract/grid';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Popover from '@mui/material/Popover';
import { Rows3 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { openGroups } from '../../view/grid-tabs.ts';
import type { GridControl } from '../../view/grid-view.ts';
import type { GridState } from '../../view/use-grid.ts';
import { CommandList } from '../CommandList.tsx';
import type { GridWords } from './values.tsx';

const idOf = (grouping: Grouping | undefined) =>
  grouping ? (grouping.per ? `${grouping.by}~${grouping.per}` : grouping.by) : '';

/** Chooses the column that groups rows, and opens or closes all groups. */
export function GroupPicker({
  grid,
  words,
  state,
  groups,
}: {
  grid: Grid;
  words: GridWords;
  state: Pick<GridControl, 'view' | 'setGrouping'>;
  groups: GridState<unknown>['groups'];
}) {
  const { t } = useTranslation();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { grouping } = state.view;
  const ways = Object.entries(grid.columns).flatMap(
    ([by, column]): { grouping: Grouping; label: string }[] => {
      const name = words.column(by);
      if (!canGroup(column)) return [];
      return column.kind === 'date'
        ? groupPeriods.map((per) => ({
            grouping: { by, per },
            label: t(`grid.groupPer.${per}`, { column: name }),
          }))
        : [{ grouping: { by }, label: name }];
    },
  );
  if (ways.length === 0) return null;
  const chosen = ways.find((way) => idOf(way.grouping) === idOf(grouping));
  const choose = (next: Grouping | null) => {
    state.setGrouping(next);
    setAnchor(null);
  };
  const keys = groups?.map(({ key }) => key) ?? [];
  return (
    <>
      <Button
        variant="outlined"
        size="small"
        startIcon={<Rows3 size={16} aria-hidden />}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ fontWeight: 400 }}
      >
        {chosen ? t('grid.groupedBy', { column: chosen.label }) : t('grid.group')}
      </Button>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': t('grid.group') } }}
      >
        {/* A new instance, so that reopening it while it closes does not keep the typed text. */}
        {anchor ? (
          <Box sx={{ width: 'min(320px, calc(100vw - 32px))' }}>
            <CommandList
              label={t('grid.group')}
              placeholder={t('filter.search')}
              emptyText={t('filter.none')}
              maxHeight={320}
              commands={[
                { id: '', label: t('grid.noGroups'), selected: !grouping },
                ...ways.map((way) => ({
                  id: idOf(way.grouping),
                  label: way.label,
                  selected: way === chosen,
                })),
              ]}
              onChoose={(id) => choose(ways.find((way) => idOf(way.grouping) === id)?.grouping ?? null)}
            />
            {grouping ? (
              <Box sx={{ display: 'flex', gap: 2, padding: 2, borderTop: 1, borderColor: 'divider' }}>
                <Button
                  variant="text"
                  size="small"
                  disabled={keys.length === 0 || keys.length > mostClosed}
                  onClick={() => choose({ ...openGroups(grouping), closed: keys })}
                >
                  {t('grid.closeGroups')}
                </Button>
                <Button
                  variant="text"
                  size="small"
                  disabled={!grouping.closed?.length}
                  onClick={() => choose(openGroups(grouping))}
                >
                  {t('grid.openGroups')}
                </Button>
              </Box>
            ) : null}
          </Box>
        ) : null}
      </Popover>
    </>
  );
}
