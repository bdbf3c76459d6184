import { contactStatuses } from '@caseway/contract/contact-flow';
import { type Contact, contactGrid, contactRecord, contactViews } from '@caseway/contract/contacts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AddRecord } from '../../record/AddRecord.tsx';
import { bulkRecord } from '../../record/use-bulk.ts';
import { useMany } from '../../record/use-many.tsx';
import { useMay } from '../../session/permissions.ts';
import { DataGrid } from '../../ui/grid/DataGrid.tsx';
import { ListFilters } from '../../ui/grid/ListFilters.tsx';
import { Page } from '../../ui/Page.tsx';
import { useGrid } from '../../view/use-grid.ts';
import { ContactToday, NoteVisit } from './ContactToday.tsx';
import { useContactWords } from './contact-words.ts';
import { EditContact } from './EditContact.tsx';

const contacts = bulkRecord(contactRecord);

/** Who is due today, who was not seen, and all others; people who may write contacts add them and note visits. */
export default function Contacts() {
  const { t } = useTranslation('contacts');
  const words = useContactWords();
  const state = useGrid(contactGrid);
  const many = useMany<Contact>(contacts, state, {
    ...words,
    nameOf: ({ number }) => number,
    none: (name) => (name === 'investigator' ? t('record.nobody') : undefined),
  });
  const mayWrite = useMay()(contactRecord.access.write);
  const { filters } = state.view;
  const [visited, setVisited] = useState<Contact | null>(null);
  const shown = filters.show?.[0] ?? contactViews[0];
  return (
    <Page
      fill
      title={t('list.title')}
      actions={
        mayWrite ? (
          <AddRecord
            label={t('edit.add')}
            path="/contacts"
            form={(handlers) => <EditContact stored={null} {...handlers} />}
          />
        ) : null
      }
    >
      <ListFilters
        grid={contactGrid}
        state={state}
        filters={[
          {
            name: 'status',
            label: words.column('status'),
            options: contactStatuses.map((id) => ({ id, label: words.choice('status', id) })),
          },
          { name: 'condition', label: words.column('condition'), lookup: 'conditions' },
          {
            name: 'investigator',
            label: words.column('investigator'),
            lookup: 'investigators',
            missing: true,
          },
          { name: 'county', label: words.column('county'), lookup: 'counties', missing: true },
        ]}
      />
      <DataGrid
        grid={contactGrid}
        state={state}
        label={t('list.title')}
        words={words}
        viewLabel={(code) => t(`show.${code}`)}
        searchLabel={t('list.search')}
        href={(row: Contact) => `/contacts/${row.id}`}
        cells={{
          number: (row: Contact) => <span className="mono">{row.number}</span>,
          caseId: (row: Contact) => <span className="mono">{row.caseId}</span>,
          today: (row: Contact) => <ContactToday row={row} onNote={mayWrite ? setVisited : undefined} />,
        }}
        {...(mayWrite && { rowKeys: { v: (row: Contact) => row.today !== null && setVisited(row) } })}
        {...many}
        empty={{ title: t(`empty.${shown}`), text: t(`empty.${shown}Text`) }}
      />
      {visited ? <NoteVisit row={visited} onClose={() => setVisited(null)} /> : null}
    </Page>
  );
}
