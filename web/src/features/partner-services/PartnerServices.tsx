import {
  type PartnerService,
  partnerGrid,
  partnerRecord,
  partnerViews,
} from '@caseway/contract/partner-services';
import { useTranslation } from 'react-i18next';
import { RecordList } from '../../record/RecordList.tsx';
import { bulkRecord } from '../../record/use-bulk.ts';
import { useMany } from '../../record/use-many.tsx';
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
    <RecordList
      title={t('list.title')}
      grid={partnerGrid}
      state={state}
      words={words}
      viewLabel={(code) => t(`show.${code}`)}
      searchLabel={t('list.search')}
      cells={{
        number: (row: PartnerService) => <span className="mono">{row.number}</span>,
        caseId: (row: PartnerService) => <span className="mono">{row.caseId}</span>,
      }}
      {...many}
      empty={{ title: t(`empty.${shown}`), text: t(`empty.${shown}Text`) }}
      path="/partner-services"
    />
  );
}
