import { type PartnerService, partnerGrid, partnerRecord } from '@caseway/contract/partner-services';
import { useTranslation } from 'react-i18next';
import { RecordList } from '../../record/RecordList.tsx';
import { bulkRecord } from '../../record/use-bulk.ts';
import { useMany } from '../../record/use-many.tsx';
import { useGrid } from '../../view/use-grid.ts';
import { partners, usePartnerWords, whoIs } from './partner-words.ts';

const bulk = bulkRecord(partnerRecord);

/**
 * Who has to be found or interviewed, and all others; many can be assigned at once. They begin on the case.
 */
export default function PartnerServices() {
  const { t } = useTranslation('partner-services');
  const words = usePartnerWords();
  const state = useGrid(partnerGrid);
  const many = useMany<PartnerService>(bulk, state, {
    ...words,
    nameOf: whoIs,
    none: (name) => (name === 'fieldInvestigator' ? t('record.nobody') : undefined),
  });
  return <RecordList grid={partnerGrid} state={state} words={words} edits={partners} {...many} />;
}
