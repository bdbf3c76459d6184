import type { OrgType } from '@caseway/contract/session';
import { exportUsers, type UserRow, userGrids } from '@caseway/contract/users';
import Button from '@mui/material/Button';
import { UserPlus, UsersRound } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate } from 'react-router';
import { Permitted } from '../../data/Permitted.tsx';
import { useExport } from '../../data/use-export.ts';
import { useMay } from '../../session/permissions.ts';
import { DataGrid } from '../../ui/grid/DataGrid.tsx';
import { ExportButton } from '../../ui/grid/ExportButton.tsx';
import { Page } from '../../ui/Page.tsx';
import { WithPanel } from '../../ui/WithPanel.tsx';
import { useOpenInList } from '../../view/open-in-list.ts';
import { type GridState, useGrid } from '../../view/use-grid.ts';
import { languageNames, languageOf } from '../../words/i18n.ts';
import { InviteUser } from './InviteUser.tsx';
import { UsersNavigation, useAdministeredTypes } from './parts.tsx';
import { pathOfType } from './paths.ts';
import { StatusMark } from './StatusMark.tsx';
import { UserPanel } from './UserPanel.tsx';

const cells = { status: (row: UserRow) => <StatusMark status={row.status} /> };

/** The users of the first type of organization the user administers. */
export function UsersOfMine() {
  const [first] = useAdministeredTypes();
  return <Navigate to={pathOfType[first ?? 'T']} replace />;
}

/**
 * The users of organizations of one type, with the open user next to them. `notice`: what waits for them.
 * [S1.2]
 */
export function Users({ orgType, notice }: { orgType: OrgType; notice?: ReactNode }) {
  const { t } = useTranslation('users');
  const may = useMay();
  const grid = userGrids[orgType];
  const state = useGrid(grid);
  const [openId, setOpenId] = useOpenInList();
  const [inviting, setInviting] = useState(false);
  const writes = may('users/write');
  const words = useMemo(
    () => ({
      column: (field: string) => t(`column.${field}`),
      choice: (field: string, code: string) => {
        const unknown = t('common:label.unknown.other');
        if (field !== 'language') return t(`${field}.${code}`, { defaultValue: unknown });
        const language = languageOf(code);
        return language ? languageNames[language] : unknown;
      },
    }),
    [t],
  );
  return (
    <Page
      fill
      title={t(`tab.${orgType}`)}
      lead={t('screen.lead')}
      actions={
        <Permitted permission="users/write" label={t('list.invite')}>
          <Button
            variant="outlined"
            component={Link}
            to="/admin/users/table"
            startIcon={<UsersRound size={16} aria-hidden />}
          >
            {t('list.table')}
          </Button>
          <Button
            variant="contained"
            startIcon={<UserPlus size={16} aria-hidden />}
            onClick={() => setInviting(true)}
          >
            {t('list.invite')}
          </Button>
        </Permitted>
      }
    >
      <UsersNavigation />
      {notice}
      <WithPanel
        onClose={() => setOpenId(null)}
        panel={openId === null ? null : <UserPanel id={openId} onClose={() => setOpenId(null)} />}
      >
        <DataGrid
          grid={grid}
          state={state}
          label={t(`tab.${orgType}`)}
          words={words}
          searchLabel={t('list.search')}
          onOpen={(row) => setOpenId(row.id)}
          openId={openId}
          cells={cells}
          actions={<ExportUsers orgType={orgType} state={state} />}
          empty={{
            title: t('list.empty'),
            text: writes ? t('list.emptyText') : null,
          }}
        />
      </WithPanel>
      {inviting ? (
        <InviteUser
          orgType={orgType}
          onInvited={(user) => {
            setInviting(false);
            setOpenId(user.id);
          }}
          onClose={() => setInviting(false)}
        />
      ) : null}
    </Page>
  );
}

/** Everything in the list on all pages, as the table that can be changed and imported again. */
function ExportUsers({ orgType, state }: { orgType: OrgType; state: GridState<unknown> }) {
  const users = useExport(exportUsers, 'users.csv');
  return (
    <ExportButton
      size="small"
      isRunning={users.isRunning}
      disabled={!state.rowCount}
      onStart={() => users.start({ body: { orgType, query: state.request } })}
      onCancel={users.cancel}
    />
  );
}
