import { partnerStages } from '@caseway/contract/partner-flow';
import {
  type PartnerService,
  partnerGrid,
  partnerRecord,
  partnerViews,
} from '@caseway/contract/partner-services';
import { useTranslation } from 'react-i18next';
import { BehindChip } from '../../dashboard/BehindChip.tsx';
import { bulkRecord } from '../../record/use-bulk.ts';
import { useMany } from '../../record/use-many.tsx';
import { DataGrid } from '../../ui/grid/DataGrid.tsx';
import { ListFilters } from '../../ui/grid/ListFilters.tsx';
import { Page } from '../../ui/Page.tsx';
import { useGrid } from '../../view/use-grid.ts';
import { usePartnerWords, whoIs } from './partner-words.ts';

const partners = bulkRecord(partnerRecord);

/** Who has to be found or interviewed, and all others; many are given to people at once. They begin on the case. */
export default function PartnerServices() {
  const { t } = useTranslation('partner-services');
  const words = usePartnerWords();
  const state = useGrid(partnerGrid);
  const many = useMany<PartnerService>(partners, state, {
    ...words,
    nameOf: whoIs,
    none: (name) => (name === 'fieldInvestigator' ? t('record.nobody') : undefined),
  });
  const { filters } = state.view;
  const shown = filters.show?.[0] ?? partnerViews[0];
  return (
    <Page fill title={t('list.title')}>
      <ListFilters
        grid={partnerGrid}
        state={state}
        filters={[
          {
            name: 'stage',
            label: words.column('stage'),
            options: partnerStages.map((id) => ({ id, label: words.choice('stage', id) })),
          },
          { name: 'condition', label: words.column('condition'), lookup: 'conditions' },
          {
            name: 'fieldInvestigator',
            label: words.column('fieldInvestigator'),
            lookup: 'investigators',
            missing: true,
          },
          { name: 'county', label: words.column('county'), lookup: 'counties', missing: true },
        ]}
      />
      <BehindChip state={state} />
      <DataGrid
        grid={partnerGrid}
        state={state}
        label={t('list.title')}
        words={words}
        viewLabel={(code) => t(`show.${code}`)}
        searchLabel={t('list.search')}
        href={(row: PartnerService) => `/partner-services/${row.id}`}
        cells={{
          number: (row: PartnerService) => <span className="mono">{row.number}</span>,
          caseId: (row: PartnerService) => <span className="mono">{row.caseId}</span>,
        }}
        {...many}
        empty={{ title: t(`empty.${shown}`), text: t(`empty.${shown}Text`) }}
      />
    </Page>
  );
}
