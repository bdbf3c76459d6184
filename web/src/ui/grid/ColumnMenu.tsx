import type { Column } from '@caseway/contract/grid';
import Divider from '@mui/material/Divider';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import {
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  EyeOff,
  ListFilter,
  type LucideIcon,
  Minus,
  Pin,
  PinOff,
  Plus,
  X,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';

/** One step of a width change from the menu, in px. */
const widthStep = 40;

/** Everything that can be done with a column, also without a mouse. */
export function ColumnMenu({
  anchor,
  column,
  label,
  sort,
  pinned,
  onlyOne,
  onClose,
  onSort,
  onFilter,
  onPin,
  onMove,
  onWidth,
  onHide,
}: {
  anchor: HTMLElement;
  column: Column;
  label: string;
  sort: 'asc' | 'desc' | undefined;
  pinned: boolean;
  /** The last visible column cannot be hidden. */
  onlyOne: boolean;
  onClose: () => void;
  onSort: (way: 'asc' | 'desc' | null) => void;
  onFilter: () => void;
  onPin: () => void;
  onMove: (step: -1 | 1) => void;
  onWidth: (change: number) => void;
  onHide: () => void;
}) {
  const { t } = useTranslation();
  const entry = (icon: LucideIcon, text: string, act: () => void, disabled = false) => {
    const Icon = icon;
    return (
      <MenuItem
        key={text}
        disabled={disabled}
        onClick={() => {
          onClose();
          act();
        }}
      >
        <Icon size={16} aria-hidden />
        {text}
      </MenuItem>
    );
  };
  return (
    <Menu open anchorEl={anchor} onClose={onClose} slotProps={{ list: { 'aria-label': label } }}>
      {column.sortable === false
        ? null
        : [
            entry(ArrowUp, t('grid.sortAscending'), () => onSort('asc'), sort === 'asc'),
            entry(ArrowDown, t('grid.sortDescending'), () => onSort('desc'), sort === 'desc'),
            sort ? entry(X, t('grid.unsort'), () => onSort(null)) : null,
            <Divider key="divider" />,
          ]}
      {column.filterable === false ? null : entry(ListFilter, t('grid.filterBy'), onFilter)}
      {entry(pinned ? PinOff : Pin, t(pinned ? 'grid.unpinThis' : 'grid.pinThis'), onPin)}
      {entry(ArrowLeft, t('grid.toLeft'), () => onMove(-1))}
      {entry(ArrowRight, t('grid.toRight'), () => onMove(1))}
      {entry(Plus, t('grid.wider'), () => onWidth(widthStep))}
      {entry(Minus, t('grid.narrower'), () => onWidth(-widthStep))}
      <Divider />
      {entry(EyeOff, t('grid.hide'), onHide, onlyOne)}
    </Menu>
  );
}
